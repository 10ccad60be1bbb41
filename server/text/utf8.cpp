#include "text/utf8.hpp"

#include <algorithm>
#include <cstring>

#include "text/lanes.hpp"

namespace bgshell::text {
namespace {

struct Lead {
    std::size_t length = 0;  // 0: no character begins so
    unsigned char second_low = 0x80;
    unsigned char second_high = 0xBF;
};

// The second byte's range keeps out overlong forms, surrogates and what lies above U+10FFFF.
Lead lead_of(unsigned char byte) noexcept {
    if (byte < 0x80) return {1};
    if (byte < 0xC2) return {0};
    if (byte < 0xE0) return {2};
    if (byte == 0xE0) return {3, 0xA0, 0xBF};
    if (byte == 0xED) return {3, 0x80, 0x9F};
    if (byte < 0xF0) return {3};
    if (byte == 0xF0) return {4, 0x90, 0xBF};
    if (byte < 0xF4) return {4};
    if (byte == 0xF4) return {4, 0x80, 0x8F};
    return {0};
}

bool is_separator(const Utf8Step& step) noexcept {
    return step.kind == Utf8Step::Kind::character && (step.code == 0x2028 || step.code == 0x2029);
}

// The length of the longest beginning that sanitizing leaves as it is.
std::size_t kept_length(std::string_view bytes) noexcept {
    std::string_view rest = bytes;
    while (true) {
        rest.remove_prefix(
            prefix_without(rest, [](Lanes lanes) { return (lanes == 0) | (lanes >= 0x80); }));
        // What stopped it, and a little more, one character at a time.
        for (std::size_t looked = 0; looked < sizeof(Lanes);) {
            if (rest.empty()) return bytes.size();
            const Utf8Step step = utf8_step(rest);
            if (step.kind != Utf8Step::Kind::character || step.code == 0 || is_separator(step)) {
                return bytes.size() - rest.size();
            }
            rest.remove_prefix(step.length);
            looked += step.length;
        }
    }
}

unsigned char byte_at(std::string_view bytes, std::size_t at) noexcept {
    return static_cast<unsigned char>(bytes[at]);
}

bool is_ascii(std::string_view bytes) noexcept {
    std::uint64_t word = 0;
    std::size_t at = 0;
    for (; at + sizeof word <= bytes.size(); at += sizeof word) {
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if ((word & 0x8080808080808080U) != 0) return false;
    }
    return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

Utf8Step utf8_step(std::string_view bytes) noexcept {
    using Kind = Utf8Step::Kind;
    const unsigned char first = byte_at(bytes, 0);
    if (first < 0x80) return {Kind::character, 1, first};
    const Lead lead = lead_of(first);
    if (lead.length == 0) return {Kind::invalid, 1, 0};
    char32_t code = first & (0x7FU >> lead.length);
    for (std::size_t at = 1; at < lead.length; ++at) {
        if (at == bytes.size()) return {Kind::incomplete, at, 0};
        const unsigned char byte = byte_at(bytes, at);
        const bool fits =
            at == 1 ? byte >= lead.second_low && byte <= lead.second_high : (byte & 0xC0U) == 0x80U;
        if (!fits) return {Kind::invalid, at, 0};
        code = (code << 6U) | (byte & 0x3FU);
    }
    return {Kind::character, lead.length, code};
}

std::size_t previous_boundary(std::string_view bytes, std::size_t at) noexcept {
    if (at >= bytes.size()) return bytes.size();
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
        const std::size_t start = at - back;
        if (lead_of(byte_at(bytes, start)).length <= 1) {
            if ((byte_at(bytes, start) & 0xC0U) == 0x80U) continue;
            break;
        }
        const Utf8Step step = utf8_step(bytes.substr(start));
        return step.kind != Utf8Step::Kind::invalid && start + step.length > at ? start : at;
    }
    return at;
}

std::size_t next_boundary(std::string_view bytes, std::size_t at) noexcept {
    if (at >= bytes.size()) return bytes.size();
    const std::size_t start = previous_boundary(bytes, at);
    return start == at ? at : start + utf8_step(bytes.substr(start)).length;
}

std::size_t incomplete_tail(std::string_view bytes) noexcept {
    for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
        const std::string_view tail = bytes.substr(bytes.size() - back);
        if ((byte_at(tail, 0) & 0xC0U) == 0x80U) continue;
        return utf8_step(tail).kind == Utf8Step::Kind::incomplete ? back : 0;
    }
    return 0;
}

bool is_valid_utf8(std::string_view bytes) noexcept {
    if (is_ascii(bytes)) return true;
    while (!bytes.empty()) {
        const Utf8Step step = utf8_step(bytes);
        if (step.kind != Utf8Step::Kind::character) return false;
        bytes.remove_prefix(step.length);
    }
    return true;
}

std::size_t count_characters(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::string_view first_characters(std::string_view text, std::size_t count) noexcept {
    std::size_t at = 0;
    for (; at < text.size() && count > 0; --count) at += utf8_step(text.substr(at)).length;
    return text.substr(0, at);
}

void append_sanitized(std::string& out, std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t kept = kept_length(bytes);
        out += bytes.substr(0, kept);
        bytes.remove_prefix(kept);
        if (bytes.empty()) return;
        const Utf8Step step = utf8_step(bytes);
        out += is_separator(step) ? " " : kReplacement;
        bytes.remove_prefix(step.length);
    }
}

std::string sanitize(std::string_view bytes) {
    std::string result;
    result.reserve(bytes.size());
    append_sanitized(result, bytes);
    return result;
}

}  // namespace bgshell::text
