#include "keeper/valid_text.hpp"

namespace bgshell::keeper {
namespace {

// Length of the character at the start of `text` (not empty), 0 if there is no valid one. RFC 3629:
// no overlong forms, no surrogates, nothing above U+10FFFF, all of which the second byte decides.
std::size_t character_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (at(1) < low || at(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (at(i) < 0x80 || at(i) > 0xBF) return 0;
    }
    return length;
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

std::string valid_text(std::string_view bytes, std::size_t max_bytes) {
    std::string text;
    while (!bytes.empty()) {
        const std::size_t length = character_length(bytes);
        const std::string_view next = length == 0 ? kReplacement : bytes.substr(0, length);
        if (text.size() + next.size() > max_bytes) break;
        text.append(next);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

}  // namespace bgshell::keeper
