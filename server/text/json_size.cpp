#include "text/json_size.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

using Lanes = std::uint8_t __attribute__((vector_size(16)));

std::size_t size_of(char byte) noexcept {
    switch (byte) {
        case '"':
        case '\\':
        case '\b':
        case '\f':
        case '\n':
        case '\r':
        case '\t':
            return 2;
        default:
            return static_cast<unsigned char>(byte) < 0x20 ? 6 : 1;
    }
}

// What the escapes add for every byte.
Lanes added(Lanes bytes) noexcept {
    const Lanes two =
        static_cast<Lanes>((bytes == '"') | (bytes == '\\') | (bytes == '\b') | (bytes == '\f') |
                           (bytes == '\n') | (bytes == '\r') | (bytes == '\t'));
    const Lanes control = static_cast<Lanes>(bytes < 0x20);
    return (two & 1) | (control & ~two & 5);
}

}  // namespace

std::size_t json_size(std::string_view text) noexcept {
    std::size_t size = 0;
    while (text.size() >= sizeof(Lanes)) {
        // 51 rounds of at most 5 fit into a byte.
        const std::size_t rounds = std::min<std::size_t>(text.size() / sizeof(Lanes), 51);
        Lanes sums{};
        for (std::size_t round = 0; round < rounds; ++round) {
            Lanes lanes;
            std::memcpy(&lanes, text.data() + round * sizeof lanes, sizeof lanes);
            sums += added(lanes);
        }
        for (std::size_t lane = 0; lane < sizeof(Lanes); ++lane) size += sums[lane];
        size += rounds * sizeof(Lanes);
        text.remove_prefix(rounds * sizeof(Lanes));
    }
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
