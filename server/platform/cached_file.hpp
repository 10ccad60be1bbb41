// Files as far as the kernel has them in memory: for a thread that must not wait for a disk. What
// would have to be fetched is EAGAIN, at once; kernels (before 5.12) and file systems that cannot
// tell answer with another error.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {

// openat(2) of an existing file.
[[nodiscard]] Outcome<UniqueFd> open_cached(int directory, const char* name, int flags);

// pread(2): -1 with errno, as that does. May be short where only the beginning is in memory.
[[nodiscard]] ssize_t read_cached(int fd, char* bytes, std::size_t count, off_t offset) noexcept;

}  // namespace bgshell::platform
