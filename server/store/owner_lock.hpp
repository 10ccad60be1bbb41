// OwnerLock: owners/<id>.lock, held while a front end lives.
#pragma once

#include <string>
#include <utility>

#include "platform/unique_fd.hpp"
#include "store/error.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

class OwnerLock {
  public:
    // `owner` is a file name; ErrorKind::busy if somebody holds its lock.
    [[nodiscard]] static Result<OwnerLock> acquire(const StateDirectory& state,
                                                   const std::string& owner);
    // Whether somebody holds that owner's lock; an owner without a lock file is dead.
    [[nodiscard]] static Result<bool> is_alive(const StateDirectory& state,
                                               const std::string& owner);

    // Removes the lock file of an owner that is dead and will never come back.
    [[nodiscard]] static Result<void> remove(const StateDirectory& state, const std::string& owner);

  private:
    explicit OwnerLock(platform::UniqueFd lock) : lock_{std::move(lock)} {}
    platform::UniqueFd lock_;
};

}  // namespace bgshell::store
