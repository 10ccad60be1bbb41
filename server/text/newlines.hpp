// Newline bytes: counting them, fast enough for a whole log (about memory speed), and finding one
// backwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bgshell::text {

// The number of newline bytes.
[[nodiscard]] std::uint64_t count_newlines(std::string_view bytes) noexcept;

// Where the line begins that ends at `end`, a newline at its end being its own.
[[nodiscard]] std::size_t line_start(std::string_view bytes, std::size_t end) noexcept;

}  // namespace bgshell::text
