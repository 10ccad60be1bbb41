// A foreign text quoted inside a line of ours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bgshell::text {

// `bytes` as a JSON string with its quotation marks, on one line, safe for any bytes (see
// sanitize). Between the marks are at most `limit` characters, escapes counted; a longer one ends
// in "...".
[[nodiscard]] std::string quote(std::string_view bytes, std::size_t limit = 200);

}  // namespace bgshell::text
