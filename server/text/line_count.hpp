// Counting lines, fast enough to count a whole log (about memory speed).
#pragma once

#include <cstdint>
#include <string_view>

namespace bgshell::text {

// The number of newline bytes.
[[nodiscard]] std::uint64_t count_newlines(std::string_view bytes) noexcept;

}  // namespace bgshell::text
