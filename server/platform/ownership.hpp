// Who could have put something into a path: a directory is trusted only if nobody but the user and
// root can change it or any directory that leads to it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/outcome.hpp"

namespace bgshell::platform {

// The user we are, as far as files are concerned.
struct Identity {
    uid_t user = 0;
    // The group that has this user as its only member, if there is one.
    std::optional<gid_t> private_group;
};

// Of this process (effective ids), by /etc/passwd and /etc/group.
[[nodiscard]] Identity own_identity();

// Whether `group` belongs to `user` alone: in /etc/group it has no other member and no other user
// of /etc/passwd has it as primary group. A group that is in no file (a directory service) counts
// as private if it has the number of the user, as such services make them.
[[nodiscard]] bool is_private_group(gid_t group, uid_t user, std::string_view passwd,
                                    std::string_view groups);

enum class Distrust : std::uint8_t {
    not_a_directory,
    foreign_owner,  // neither the user's nor root's
    writable_by_others,
    writable_by_group,  // a group that is neither root's nor the user's own
};

struct DistrustedPath {
    std::string path;  // the directory, or the symbolic link, that is to blame
    Distrust why = Distrust::foreign_owner;
    uid_t owner = 0;
    gid_t group = 0;
};

// nullopt: `path` (absolute) can be trusted. Checked are the directory itself, each parent, and
// each symbolic link on the way with its own parents. A parent that others may write to is fine if
// it is sticky (/tmp); the directory itself is not. An error: it cannot be looked at (ENOENT,
// EACCES, ELOOP after 40 links, ...).
[[nodiscard]] Outcome<std::optional<DistrustedPath>> find_distrust(const std::string& path,
                                                                   const Identity& identity);

}  // namespace bgshell::platform
