#include "text/json_size.hpp"

#include <array>
#include <cstdint>

#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

constexpr std::array<std::uint8_t, 256> kSizes = [] {
    std::array<std::uint8_t, 256> sizes{};
    for (std::size_t byte = 0; byte < sizes.size(); ++byte) sizes[byte] = byte < 0x20 ? 6 : 1;
    for (const char escaped : {'"', '\\', '\b', '\f', '\n', '\r', '\t'}) {
        sizes[static_cast<unsigned char>(escaped)] = 2;
    }
    return sizes;
}();

std::size_t size_of(char byte) noexcept {
    return kSizes[static_cast<unsigned char>(byte)];
}

}  // namespace

std::size_t json_size(std::string_view text) noexcept {
    std::size_t size = 0;
    for (const char byte : text) size += size_of(byte);
    return size;
}

std::string_view cut_to_json_size(std::string_view text, std::size_t budget) noexcept {
    if (text.size() <= budget / 6) return text;
    std::size_t at = 0;
    for (std::size_t size = 0; at < text.size(); ++at) {
        size += size_of(text[at]);
        if (size > budget) break;
    }
    return text.substr(0, previous_boundary(text, at));
}

}  // namespace bgshell::text
