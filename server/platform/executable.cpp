#include "platform/executable.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bgshell::platform {

error_code check_executable(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return last_error();
    if (S_ISDIR(status.st_mode)) return errno_code(EISDIR);
    if (!S_ISREG(status.st_mode)) return errno_code(EACCES);
    if (::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) != 0) return last_error();
    return {};
}

}  // namespace bgshell::platform
