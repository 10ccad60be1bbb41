#include "platform/cached_file.hpp"

#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace bgshell::platform {

Outcome<UniqueFd> open_cached(int directory, const char* name, int flags) {
    open_how how{};
    how.flags = static_cast<unsigned>(flags);
    how.resolve = RESOLVE_CACHED;
    // glibc has no wrapper.
    UniqueFd file{static_cast<int>(
        retry_eintr([&] { return ::syscall(SYS_openat2, directory, name, &how, sizeof how); }))};
    if (!file) return last_error();
    return file;
}

ssize_t read_cached(int fd, char* bytes, std::size_t count, off_t offset) noexcept {
    iovec part{bytes, count};
    return retry_eintr([&] { return ::preadv2(fd, &part, 1, offset, RWF_NOWAIT); });
}

}  // namespace bgshell::platform
