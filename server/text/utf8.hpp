// UTF-8 of any origin: where characters begin, whether bytes are valid, and a form of them that can
// break neither JSON nor a line. Positions are byte offsets. Valid means the Unicode standard's
// table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bgshell::text {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// What stands at the beginning of some bytes.
struct Utf8Step {
    enum class Kind : std::uint8_t {
        character,
        invalid,     // `length` bytes (1 to 3) that can never become a character
        incomplete,  // all the bytes there are, and more could make a character of them
    };
    Kind kind = Kind::character;
    std::size_t length = 0;
    char32_t code = 0;  // of a character
};

// `bytes` must not be empty.
[[nodiscard]] Utf8Step utf8_step(std::string_view bytes) noexcept;

// The smallest boundary >= `at`, at most bytes.size(). Bytes that belong to no character are
// boundaries each, so it never moves by more than 3.
[[nodiscard]] std::size_t next_boundary(std::string_view bytes, std::size_t at) noexcept;
// The greatest boundary <= `at`.
[[nodiscard]] std::size_t previous_boundary(std::string_view bytes, std::size_t at) noexcept;
// How many bytes at the end (0 to 3) are the beginning of a character that is not yet complete.
[[nodiscard]] std::size_t incomplete_tail(std::string_view bytes) noexcept;

[[nodiscard]] bool is_valid_utf8(std::string_view bytes) noexcept;
// Of valid UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;
// The first `count` characters of valid UTF-8.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t count) noexcept;

// Valid UTF-8 on the same lines: bytes that are no character, and NUL, become U+FFFD (one for each
// longest beginning of a character, as browsers do); U+2028 and U+2029, which some readers take for
// line ends, become a space. Everything else stays, other control characters too.
[[nodiscard]] std::string sanitize(std::string_view bytes);
void append_sanitized(std::string& out, std::string_view bytes);

}  // namespace bgshell::text
