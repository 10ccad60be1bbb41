// Text for records: whatever bytes a command line or a path has, a JSON string must be valid UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bgshell::keeper {

// `bytes` with everything that is not UTF-8 replaced by U+FFFD, cut after the last whole character
// that ends within `max_bytes`.
[[nodiscard]] std::string valid_text(std::string_view bytes, std::size_t max_bytes);

}  // namespace bgshell::keeper
