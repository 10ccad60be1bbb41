// How long a text becomes when it is written as a JSON string, so that budgets count what is sent.
#pragma once

#include <cstddef>
#include <string_view>

namespace bgshell::text {

// Bytes of valid UTF-8 `text` inside a JSON string, without the two quotation marks: 2 for what has
// a short escape (quotation mark, backslash, \b \f \n \r \t), 6 for another control character below
// U+0020, else the bytes themselves.
[[nodiscard]] std::size_t json_size(std::string_view text) noexcept;

// The longest beginning of `text` at a character boundary whose json_size is at most `budget`.
[[nodiscard]] std::string_view cut_to_json_size(std::string_view text, std::size_t budget) noexcept;

}  // namespace bgshell::text
