// Reading the small virtual files of /proc and the control groups.
#pragma once

#include <string>

#include "platform/outcome.hpp"

namespace bgshell::platform {

// Everything up to `limit` bytes; such files have no size to ask for.
[[nodiscard]] Outcome<std::string> read_proc_file(const std::string& path,
                                                  std::size_t limit = 1024 * 1024);
// The same of an open one, from its start.
[[nodiscard]] Outcome<std::string> read_proc_file(int fd, std::size_t limit = 1024 * 1024);

}  // namespace bgshell::platform
