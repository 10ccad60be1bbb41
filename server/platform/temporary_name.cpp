#include "platform/temporary_name.hpp"

#include <array>
#include <string_view>

#include "platform/random.hpp"

namespace bgshell::platform {

std::string temporary_name(const std::string& name) {
    constexpr std::string_view kCharacters = "0123456789abcdefghijklmnopqrstuv";
    std::array<std::byte, 8> drawn{};
    fill_random(drawn);
    std::string temporary = "." + name + ".";
    for (const std::byte byte : drawn) {
        temporary.push_back(kCharacters[std::to_integer<std::size_t>(byte) % kCharacters.size()]);
    }
    return temporary;
}

}  // namespace bgshell::platform
