#include "platform/directory.hpp"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <array>

namespace bgshell::platform {

Outcome<OpenDirectory> open_directory(const std::string& path) {
    OpenDirectory directory;
    directory.fd.reset(
        retry_eintr([&] { return ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }));
    if (!directory.fd) return last_error();
    // O_PATH asks for no permission on the directory itself; a job that enters it needs one.
    if (::faccessat(directory.fd.get(), ".", X_OK, AT_EACCESS) != 0) return last_error();
    // The name is asked of the descriptor, so that both are the same directory.
    const std::string link = "/proc/self/fd/" + std::to_string(directory.fd.get());
    std::array<char, PATH_MAX> name{};
    const ssize_t length = ::readlink(link.c_str(), name.data(), name.size());
    if (length < 0) return last_error();
    directory.path.assign(name.data(), static_cast<std::size_t>(length));
    if (!directory.path.starts_with('/')) return errno_code(ENOENT);
    return directory;
}

bool exists(const std::string& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), F_OK, 0) == 0;
}

}  // namespace bgshell::platform
