#include "store/owner_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "platform/file_lock.hpp"
#include "platform/outcome.hpp"

namespace bgshell::store {
namespace {

std::string file_name(const std::string& owner) {
    return owner + ".lock";
}

Error failed(const StateDirectory& state, const std::string& owner, platform::error_code error) {
    return Error{ErrorKind::io,
                 "The lock " + state.path() + "/owners/" + file_name(owner) +
                     " cannot be taken: " + error.message() + ".",
                 error.value()};
}

// The file of this owner's lock, for asking or for taking.
platform::Outcome<platform::UniqueFd> open_file(const StateDirectory& state,
                                                const std::string& owner, int flags) {
    if (owner.empty() || owner.find('/') != std::string::npos) {
        return platform::errno_code(EINVAL);
    }
    platform::UniqueFd file{platform::retry_eintr([&] {
        return ::openat(state.owners_fd(), file_name(owner).c_str(), flags | O_NOFOLLOW | O_CLOEXEC,
                        0600);
    })};
    if (!file) return platform::last_error();
    return file;
}

}  // namespace

Result<OwnerLock> OwnerLock::acquire(const StateDirectory& state, const std::string& owner) {
    auto file = open_file(state, owner, O_RDWR | O_CREAT);
    if (!file) return failed(state, owner, file.error());
    const auto locked = platform::try_lock(file->get());
    if (!locked) return failed(state, owner, locked.error());
    if (!*locked) {
        return Error{ErrorKind::busy, "Another bgshell runs as owner " + owner + "."};
    }
    return OwnerLock{std::move(*file)};
}

Result<bool> OwnerLock::is_alive(const StateDirectory& state, const std::string& owner) {
    const auto file = open_file(state, owner, O_RDONLY);
    if (!file && file.error().value() == ENOENT) return false;
    if (!file) return failed(state, owner, file.error());
    const auto locked = platform::is_locked(file->get());
    if (!locked) return failed(state, owner, locked.error());
    return *locked;
}

Result<void> OwnerLock::remove(const StateDirectory& state, const std::string& owner) {
    if (::unlinkat(state.owners_fd(), file_name(owner).c_str(), 0) == 0 || errno == ENOENT)
        return {};
    return failed(state, owner, platform::last_error());
}

}  // namespace bgshell::store
