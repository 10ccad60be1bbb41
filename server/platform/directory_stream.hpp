// DirectoryStream: the owner of an open directory that is being read.
#pragma once

#include <dirent.h>

#include <memory>

namespace bgshell::platform {

struct CloseDirectory {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

using DirectoryStream = std::unique_ptr<DIR, CloseDirectory>;

}  // namespace bgshell::platform
