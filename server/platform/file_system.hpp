// What kind of file system a directory lies on, and what it can do.
#pragma once

#include <string_view>

#include "platform/outcome.hpp"

namespace bgshell::platform {

struct FileSystem {
    // For a person: "NFS", "FUSE", ...; empty if it is none of those that are shared between
    // machines.
    std::string_view shared_name;
    // Locks, SQLite's shared memory and hole punching cannot be trusted there: other machines write
    // to it, or a program answers in the kernel's place (FUSE).
    [[nodiscard]] bool is_shared() const noexcept { return !shared_name.empty(); }
};

// The kind of the file system that `fd` lies on. O_PATH descriptors will do.
[[nodiscard]] Outcome<FileSystem> file_system_of(int fd);
// By the magic number of statfs(2) (linux/magic.h, and each file system's own source).
[[nodiscard]] FileSystem file_system_by_magic(unsigned long magic) noexcept;

// Whether a hole can be punched into a file of `directory`, tried on a file that is removed at
// once. An error where not even that could be tried (no space, read-only, ...).
[[nodiscard]] Outcome<bool> can_punch_holes(int directory);

}  // namespace bgshell::platform
