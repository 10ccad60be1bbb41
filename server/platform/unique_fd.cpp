#include "platform/unique_fd.hpp"

#include <unistd.h>

namespace bgshell::platform {

void UniqueFd::reset(int fd) noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
}

}  // namespace bgshell::platform
