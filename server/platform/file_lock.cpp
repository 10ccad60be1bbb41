#include "platform/file_lock.hpp"

#include <sys/file.h>

namespace bgshell::platform {
namespace {

// True: locked. False: somebody else's lock is in the way.
Outcome<bool> lock_now(int fd, int kind) {
    if (retry_eintr([&] { return ::flock(fd, kind | LOCK_NB); }) == 0) return true;
    if (errno == EWOULDBLOCK) return false;
    return {boost::system::in_place_error, last_error()};
}

}  // namespace

Outcome<bool> try_lock(int fd) {
    return lock_now(fd, LOCK_EX);
}

Outcome<bool> is_locked(int fd) {
    const Outcome<bool> shared = lock_now(fd, LOCK_SH);
    if (!shared) return {boost::system::in_place_error, shared.error()};
    if (!*shared) return true;
    if (::flock(fd, LOCK_UN) != 0) return {boost::system::in_place_error, last_error()};
    return false;
}

}  // namespace bgshell::platform
