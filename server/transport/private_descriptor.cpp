#include "transport/private_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <string>
#include <utility>

namespace bgshell::transport {

using platform::last_error;
using platform::Outcome;
using platform::UniqueFd;

namespace {

bool can_be_opened_anew(const struct stat& status) {
    return S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode);
}

}  // namespace

Outcome<PrivateDescriptor> PrivateDescriptor::open(int fd, Access access) {
    struct stat status = {};
    if (::fstat(fd, &status) != 0) return last_error();
    if (can_be_opened_anew(status)) {
        const std::string path = "/proc/self/fd/" + std::to_string(fd);
        const int mode = access == Access::read ? O_RDONLY : O_WRONLY;
        UniqueFd opened{platform::retry_eintr(
            [&] { return ::open(path.c_str(), mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY); })};
        // Fails where /proc is missing, or the pipe is another user's.
        if (opened) return PrivateDescriptor{std::move(opened), -1};
    }
    UniqueFd copy{::fcntl(fd, F_DUPFD_CLOEXEC, 0)};
    if (!copy) return last_error();
    const int flags = ::fcntl(copy.get(), F_GETFL);
    if (flags < 0) return last_error();
    if ((flags & O_NONBLOCK) != 0) return PrivateDescriptor{std::move(copy), -1};
    if (::fcntl(copy.get(), F_SETFL, flags | O_NONBLOCK) != 0) return last_error();
    return PrivateDescriptor{std::move(copy), flags};
}

PrivateDescriptor::PrivateDescriptor(UniqueFd fd, int flags_to_restore)
    : fd_{std::move(fd)}, flags_to_restore_{flags_to_restore} {}

PrivateDescriptor::~PrivateDescriptor() {
    // A failure leaves a flag set on something that is about to lose its last reader.
    if (fd_ && flags_to_restore_ >= 0) ::fcntl(fd_.get(), F_SETFL, flags_to_restore_);
}

Outcome<UniqueFd> PrivateDescriptor::duplicate() const {
    UniqueFd copy{::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0)};
    if (!copy) return last_error();
    return copy;
}

}  // namespace bgshell::transport
