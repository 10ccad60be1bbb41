// Half surrogate pairs in JSON text. JSON.stringify writes one as an escape, such as "\ud83d",
// which no UTF-8 text can hold.
#pragma once

#include <string>
#include <string_view>

namespace bgshell::mcp {

// `json` with each escape of a half pair replaced by "\ufffd"; the length stays.
[[nodiscard]] std::string replace_lone_surrogates(std::string_view json);

}  // namespace bgshell::mcp
