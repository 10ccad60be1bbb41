#include "mcp/lone_surrogates.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

namespace bgshell::mcp {

namespace {

constexpr std::size_t kEscape = 6;  // \uXXXX

// The code unit of the \u escape at `at`, if there is one.
std::optional<std::uint16_t> unit_at(std::string_view json, std::size_t at) {
    if (json.size() - at < kEscape || json[at] != '\\' || json[at + 1] != 'u') return std::nullopt;
    std::uint16_t unit = 0;
    const char* const digits = json.data() + at + 2;
    const auto [end, error] = std::from_chars(digits, digits + 4, unit, 16);
    if (end != digits + 4) return std::nullopt;
    return unit;
}

bool is_high(std::optional<std::uint16_t> unit) {
    return unit && *unit >= 0xD800 && *unit <= 0xDBFF;
}
bool is_low(std::optional<std::uint16_t> unit) {
    return unit && *unit >= 0xDC00 && *unit <= 0xDFFF;
}

}  // namespace

std::string replace_lone_surrogates(std::string_view json) {
    std::string repaired{json};
    std::size_t at = 0;
    while ((at = json.find('\\', at)) != std::string_view::npos) {
        const auto unit = unit_at(json, at);
        if (!unit) {
            at += 2;  // a short escape; the second byte may be a backslash
        } else if (is_high(unit) && is_low(unit_at(json, at + kEscape))) {
            at += 2 * kEscape;
        } else {
            if (is_high(unit) || is_low(unit)) repaired.replace(at, kEscape, "\\ufffd");
            at += kEscape;
        }
    }
    return repaired;
}

}  // namespace bgshell::mcp
