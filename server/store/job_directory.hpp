// JobDirectory: the private directory of one job, and the locks that say who lives.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keeper/records.hpp"
#include "platform/unique_fd.hpp"
#include "store/error.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

class JobDirectory {
  public:
    // Makes jobs/<fresh random id>/ (0700) with `script` and an exclusively flocked `lock`; nothing
    // of it remains if it fails. The id is new: mkdir decides.
    [[nodiscard]] static Result<JobDirectory> create(const StateDirectory& state,
                                                     std::string_view script);
    [[nodiscard]] static Result<JobDirectory> open(const StateDirectory& state,
                                                   const keeper::JobId& id);

    [[nodiscard]] const keeper::JobId& id() const noexcept { return id_; }
    [[nodiscard]] int fd() const noexcept { return directory_.get(); }
    // The locked descriptor that `create` made: passed to the keeper, then dropped with
    // `drop_lock`, so that the keeper alone holds the lock.
    [[nodiscard]] int lock_fd() const noexcept { return lock_.get(); }
    void drop_lock() noexcept { lock_.reset(); }
    // Locks `lock` without waiting. True: nobody lives behind this job, and we hold the lock now.
    [[nodiscard]] Result<bool> try_lock();

    [[nodiscard]] Result<void> write_spec(const keeper::JobSpec& spec) const;
    [[nodiscard]] std::optional<keeper::JobSpec> read_spec() const;
    // nullopt: absent or not valid.
    [[nodiscard]] std::optional<keeper::ExitRecord> read_exit() const;
    [[nodiscard]] std::optional<keeper::AfterRecord> read_after() const;
    [[nodiscard]] Result<std::string> read_script() const;
    // Bytes on disk of everything in the directory (st_blocks, so holes do not count).
    [[nodiscard]] std::uint64_t disk_bytes() const;
    // Removes the directory and all in it. Never called while a keeper lives.
    [[nodiscard]] Result<void> remove(const StateDirectory& state);

  private:
    JobDirectory(keeper::JobId id, platform::UniqueFd directory, platform::UniqueFd lock);
    keeper::JobId id_;
    platform::UniqueFd directory_;
    platform::UniqueFd lock_;
};

// owners/<id>.lock, held while the front end lives.
class OwnerLock {
  public:
    [[nodiscard]] static Result<OwnerLock> acquire(const StateDirectory& state,
                                                   const std::string& owner);
    // Whether somebody holds that owner's lock; an owner without a lock file is dead.
    [[nodiscard]] static Result<bool> is_alive(const StateDirectory& state,
                                               const std::string& owner);

  private:
    explicit OwnerLock(platform::UniqueFd lock) : lock_{std::move(lock)} {}
    platform::UniqueFd lock_;
};

}  // namespace bgshell::store
