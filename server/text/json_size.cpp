#include "text/json_size.hpp"

#include <algorithm>
#include <cstdint>

#include "text/lanes.hpp"
#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

constexpr std::size_t kMostRounds = 255;  // so that counts fit into a byte

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

// -1 for each control character that is written as \u00XX; nearly no text has one.
Lanes long_escapes(Lanes bytes) noexcept {
    return static_cast<Lanes>((bytes < 0x20) & (bytes != '\b') & (bytes != '\t') & (bytes != '\n') &
                              (bytes != '\f') & (bytes != '\r'));
}

std::size_t sum(Lanes lanes) noexcept {
    std::size_t total = 0;
    for (std::size_t lane = 0; lane < sizeof lanes; ++lane) total += lanes[lane];
    return total;
}

// What the escapes of `rounds` times 16 bytes add.
std::size_t added(const char* bytes, std::size_t rounds) noexcept {
    Lanes escapes{};
    Lanes unusual{};
    for (std::size_t round = 0; round < rounds; ++round) {
        const Lanes lanes = load_lanes(bytes + round * sizeof(Lanes));
        const auto control = lanes < 0x20;
        escapes -= static_cast<Lanes>(control | (lanes == '"') | (lanes == '\\'));
        unusual |= static_cast<Lanes>(control & (lanes != '\n'));
    }
    if (!any(unusual)) return sum(escapes);
    Lanes longer{};
    for (std::size_t round = 0; round < rounds; ++round) {
        longer -= long_escapes(load_lanes(bytes + round * sizeof(Lanes)));
    }
    return sum(escapes) + 4 * sum(longer);
}

}  // namespace

std::size_t json_size(std::string_view text) noexcept {
    std::size_t size = 0;
    while (text.size() >= sizeof(Lanes)) {
        const std::size_t rounds = std::min(text.size() / sizeof(Lanes), kMostRounds);
        size += rounds * sizeof(Lanes) + added(text.data(), rounds);
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
