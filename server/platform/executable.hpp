// Whether a file can be executed, asked before it is tried.
#pragma once

#include <string>

#include "platform/outcome.hpp"

namespace bgshell::platform {

// No error: `path` is a regular file that we may execute. EISDIR for a directory, EACCES for any
// other file. An exec can still fail, as its content is not looked at.
[[nodiscard]] error_code check_executable(const std::string& path);

}  // namespace bgshell::platform
