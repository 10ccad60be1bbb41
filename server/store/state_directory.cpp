#include "store/state_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "platform/file_system.hpp"
#include "platform/outcome.hpp"
#include "platform/ownership.hpp"

namespace bgshell::store {
namespace {

// SQLite opens no file whose path has more than 512 bytes, with what it appends to the name.
constexpr std::size_t kLongestPath = 480;
constexpr int kDirectoryFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

Error unusable(const std::string& path, const std::string& what, platform::error_code error) {
    return Error{ErrorKind::io,
                 "The state directory " + path + " cannot be used: " + what + ": " +
                     error.message() + ". Make it writable, or set BGSHELL_STATE to one that is.",
                 error.value()};
}

// Directories made on the way; removed again unless kept, so that a refusal leaves nothing.
class MadeDirectories {
  public:
    MadeDirectories() = default;
    MadeDirectories(const MadeDirectories&) = delete;
    MadeDirectories& operator=(const MadeDirectories&) = delete;
    ~MadeDirectories() {
        for (auto made = paths_.rbegin(); made != paths_.rend(); ++made) ::rmdir(made->c_str());
    }
    platform::error_code make(const std::string& path) {
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0) return {};
        if (::mkdir(path.c_str(), 0700) != 0) {
            return errno == EEXIST ? platform::error_code{} : platform::last_error();
        }
        paths_.push_back(path);
        // The umask may have taken our own rights.
        return ::chmod(path.c_str(), 0700) == 0 ? platform::error_code{} : platform::last_error();
    }
    void keep() { paths_.clear(); }

  private:
    std::vector<std::string> paths_;
};

std::optional<Error> find_fault(const std::string& path) {
    const auto distrusted = platform::find_distrust(path, platform::own_identity());
    if (!distrusted) return unusable(path, "it cannot be looked at", distrusted.error());
    if (!*distrusted) return std::nullopt;
    const auto& [culprit, why, owner, group] = **distrusted;
    std::string text = "The state directory " + path + " cannot be trusted: " + culprit;
    std::string repair;
    switch (why) {
        case platform::Distrust::not_a_directory:
            text += " is not a directory";
            break;
        case platform::Distrust::foreign_owner:
            text += " belongs to user " + std::to_string(owner) + ", neither to you nor to root";
            break;
        case platform::Distrust::writable_by_others:
            text += " can be changed by every user";
            repair = "Run chmod o-w " + culprit + ", or set";
            break;
        case platform::Distrust::writable_by_group:
            text += " can be changed by group " + std::to_string(group);
            repair = "Run chmod g-w " + culprit + ", or set";
            break;
    }
    if (repair.empty()) repair = "Set";
    return Error{ErrorKind::not_ours,
                 text + ". " + repair + " BGSHELL_STATE to a directory of your own."};
}

std::optional<Error> find_network(const std::string& path, int directory) {
    const auto system = platform::file_system_of(directory);
    if (!system) return unusable(path, "its file system cannot be told", system.error());
    if (!system->is_shared()) return std::nullopt;
    return Error{ErrorKind::network,
                 "The state directory " + path + " lies on " + std::string{system->shared_name} +
                     ", where locks cannot be relied on. Set BGSHELL_STATE to a "
                     "local directory, or, if only this machine uses it, "
                     "BGSHELL_STORE_NETWORK=true."};
}

// Opens, and makes if need be, the folder `name` of the state directory.
platform::Outcome<platform::UniqueFd> open_folder(int root, const char* name) {
    if (::mkdirat(root, name, 0700) != 0 && errno != EEXIST) return platform::last_error();
    platform::UniqueFd folder{
        platform::retry_eintr([&] { return ::openat(root, name, kDirectoryFlags | O_NOFOLLOW); })};
    if (!folder) return platform::last_error();
    return folder;
}

}  // namespace

StateDirectory::StateDirectory(std::string path, platform::UniqueFd root, platform::UniqueFd jobs,
                               platform::UniqueFd owners)
    : path_{std::move(path)},
      root_{std::move(root)},
      jobs_{std::move(jobs)},
      owners_{std::move(owners)} {}

Result<StateDirectory> StateDirectory::open(const std::string& path, bool allow_network) {
    if (path.empty() || path.front() != '/') {
        return Error{ErrorKind::io,
                     "The state directory \"" + path +
                         "\" is no absolute path. Set BGSHELL_STATE to one that begins with /.",
                     EINVAL};
    }
    if (path.size() > kLongestPath) {
        return Error{ErrorKind::io,
                     "The path of the state directory has " + std::to_string(path.size()) +
                         " bytes, more than " + std::to_string(kLongestPath) + ": " +
                         path.substr(0, 100) + "... Set BGSHELL_STATE to a shorter one.",
                     ENAMETOOLONG};
    }
    MadeDirectories made;
    std::filesystem::path prefix;
    for (const auto& component : std::filesystem::path{path}) {
        prefix /= component;
        if (const auto error = made.make(prefix.string())) {
            return unusable(path, prefix.string() + " cannot be made", error);
        }
    }
    if (auto fault = find_fault(path)) return *fault;
    platform::UniqueFd root{
        platform::retry_eintr([&] { return ::open(path.c_str(), kDirectoryFlags); })};
    if (!root) return unusable(path, "it cannot be opened", platform::last_error());
    if (!allow_network) {
        if (auto network = find_network(path, root.get())) return *network;
    }
    made.keep();
    auto jobs = open_folder(root.get(), "jobs");
    if (!jobs) return unusable(path, "its folder jobs", jobs.error());
    auto owners = open_folder(root.get(), "owners");
    if (!owners) return unusable(path, "its folder owners", owners.error());
    return StateDirectory{path, std::move(root), std::move(*jobs), std::move(*owners)};
}

std::string StateDirectory::default_path(const std::string& xdg_state_home,
                                         const std::string& home) {
    // The XDG specification: a path that is not absolute is to be ignored.
    if (!xdg_state_home.empty() && xdg_state_home.front() == '/')
        return xdg_state_home + "/bgshell";
    return home + "/.local/state/bgshell";
}

bool StateDirectory::is_removed() const {
    struct stat status {};
    return ::fstat(jobs_.get(), &status) == 0 && status.st_nlink == 0;
}

bool StateDirectory::can_punch_holes() const {
    const auto can = platform::can_punch_holes(root_.get());
    return can && *can;
}

}  // namespace bgshell::store
