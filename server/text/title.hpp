// The name of a job that was given none.
#pragma once

#include <string>
#include <string_view>

namespace bgshell::text {

// The first line of `command` that does something, without what only prepares it: a leading `cd DIR
// &&`, assignments (also exported), `set -...`, comments. At most 60 characters, no control
// characters. Where nothing else is left: the first line that is not blank. Empty only for a blank
// command.
[[nodiscard]] std::string title_of(std::string_view command);

}  // namespace bgshell::text
