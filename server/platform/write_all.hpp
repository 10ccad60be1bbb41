// write_all: a write that takes all of it or fails.
#pragma once

#include <string_view>

#include "platform/outcome.hpp"

namespace bgshell::platform {

// To a file at its position; some of it may have been written when it fails.
[[nodiscard]] error_code write_all(int fd, std::string_view bytes);

}  // namespace bgshell::platform
