#include "platform/ownership.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <deque>
#include <vector>

#include "platform/durable_file.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<unsigned> parse_number(std::string_view digits) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

std::string read_system_file(const std::string& name) {
    constexpr std::size_t kMost = 16 << 20;  // a user database of a large site
    const UniqueFd directory{::open("/etc", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!directory) return {};
    Outcome<std::string> content = read_whole(directory.get(), name, kMost);
    return content ? std::move(*content) : std::string{};
}

// An access list can let in more than the mode shows: its mask then looks like the group's rights.
bool has_access_list(const std::string& path) {
    return ::lgetxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

std::optional<Distrust> judge(const std::string& path, const struct stat& status, bool is_last,
                              const Identity& identity) {
    if (status.st_uid != identity.user && status.st_uid != 0) return Distrust::foreign_owner;
    if (S_ISLNK(status.st_mode)) return std::nullopt;
    if (!S_ISDIR(status.st_mode)) return Distrust::not_a_directory;
    const bool sticky = (status.st_mode & S_ISVTX) != 0 && !is_last;
    if (sticky) return std::nullopt;
    if ((status.st_mode & S_IWOTH) != 0) return Distrust::writable_by_others;
    if ((status.st_mode & S_IWGRP) != 0) {
        const bool own_group = status.st_gid == 0 || status.st_gid == identity.private_group;
        if (!own_group || has_access_list(path)) return Distrust::writable_by_group;
    }
    return std::nullopt;
}

Outcome<std::string> read_link(const std::string& path) {
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return last_error();
    return std::string{target.data(), static_cast<std::size_t>(length)};
}

// Puts the components of `path` before those that are still to come.
void prepend(std::deque<std::string>& rest, std::string_view path) {
    const std::vector<std::string_view> parts = split(path, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (!part->empty() && *part != ".") rest.emplace_front(*part);
    }
}

}  // namespace

bool is_private_group(gid_t group, uid_t user, std::string_view passwd, std::string_view groups) {
    std::string_view user_name;
    for (const std::string_view line : split(passwd, '\n')) {
        const auto field = split(line, ':');  // name:password:uid:gid:...
        if (field.size() < 4) continue;
        if (parse_number(field[2]) == user) {
            user_name = field[0];
        } else if (parse_number(field[3]) == group) {
            return false;
        }
    }
    for (const std::string_view line : split(groups, '\n')) {
        const auto field = split(line, ':');  // name:password:gid:member,member
        if (field.size() < 4 || parse_number(field[2]) != group) continue;
        for (const std::string_view member : split(field[3], ',')) {
            if (!member.empty() && member != user_name) return false;
        }
        return true;
    }
    return group == user;
}

Identity own_identity() {
    const uid_t user = ::geteuid();
    const gid_t group = ::getegid();
    Identity identity{user, std::nullopt};
    if (is_private_group(group, user, read_system_file("passwd"), read_system_file("group"))) {
        identity.private_group = group;
    }
    return identity;
}

Outcome<std::optional<DistrustedPath>> find_distrust(const std::string& path,
                                                     const Identity& identity) {
    constexpr int kMostLinks = 40;  // as the kernel
    std::string seen;               // "" is the root
    std::deque<std::string> rest;
    prepend(rest, path);
    int links = 0;
    while (true) {
        const std::string here = seen.empty() ? "/" : seen;
        struct stat status {};
        if (::lstat(here.c_str(), &status) != 0) return last_error();
        if (const auto why = judge(here, status, rest.empty(), identity)) {
            return DistrustedPath{here, *why, status.st_uid, status.st_gid};
        }
        if (S_ISLNK(status.st_mode)) {
            if (++links > kMostLinks) return errno_code(ELOOP);
            const Outcome<std::string> target = read_link(here);
            if (!target) return target.error();
            prepend(rest, *target);
            seen = target->starts_with('/') ? "" : seen.substr(0, seen.rfind('/'));
        }
        if (rest.empty()) {
            if (S_ISLNK(status.st_mode)) continue;  // a link to the directory we are in
            return std::optional<DistrustedPath>{};
        }
        if (rest.front() == "..") {
            seen = seen.substr(0, seen.empty() ? 0 : seen.rfind('/'));
        } else {
            seen += "/" + rest.front();
        }
        rest.pop_front();
    }
}

}  // namespace bgshell::platform
