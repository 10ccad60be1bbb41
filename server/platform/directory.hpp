// A directory of the user's, named by a path of the user's: symbolic links are followed.
#pragma once

#include <string>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {

struct OpenDirectory {
    std::string path;  // canonical
    UniqueFd fd;       // O_PATH
};

// ENOENT, ENOTDIR, EACCES (also where it may not be entered), ELOOP, ENAMETOOLONG, ...
[[nodiscard]] Outcome<OpenDirectory> open_directory(const std::string& path);

// Whether there is anything at `path` that we can see.
[[nodiscard]] bool exists(const std::string& path);

}  // namespace bgshell::platform
