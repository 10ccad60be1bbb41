// JobDirectory: the private directory of one job, and the lock that says who lives.
//
// The order of a start: `create` (the lock is held), Registry::admit, `write_spec`, then the keeper
// gets the directory and the lock. The order of a removal: `remove`, then Registry::remove. So a
// directory with a spec has, or had, a row.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keeper/records.hpp"
#include "platform/unique_fd.hpp"
#include "store/error.hpp"
#include "store/patience.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

class JobDirectory {
  public:
    // Makes jobs/<fresh random id>/ (0700) with `script` and an exclusively flocked `lock`; nothing
    // of it remains if it fails. The id is new: mkdir decides.
    [[nodiscard]] static Result<JobDirectory> create(const StateDirectory& state,
                                                     std::string_view script);
    // ErrorKind::not_found if there is none.
    [[nodiscard]] static Result<JobDirectory> open(const StateDirectory& state,
                                                   const keeper::JobId& id,
                                                   Patience patience = Patience::waits);

    [[nodiscard]] const keeper::JobId& id() const noexcept { return id_; }
    [[nodiscard]] int fd() const noexcept { return directory_.get(); }
    // The locked descriptor that `create` made: passed to the keeper, then dropped with
    // `drop_lock`, so that the keeper alone holds the lock.
    [[nodiscard]] int lock_fd() const noexcept { return lock_.get(); }
    void drop_lock() noexcept { lock_.reset(); }
    // Locks `lock` without waiting. True: nobody lives behind this job, and we hold the lock now,
    // until `drop_lock`. False: not now.
    [[nodiscard]] Result<bool> try_lock();

    // Not synced: what a power loss may take is a job that it ended as well.
    [[nodiscard]] Result<void> write_spec(const keeper::JobSpec& spec) const;
    // nullopt: absent, not valid, or of another job.
    [[nodiscard]] std::optional<keeper::JobSpec> read_spec() const;
    [[nodiscard]] std::optional<keeper::ExitRecord> read_exit() const;
    [[nodiscard]] std::optional<keeper::AfterRecord> read_after() const;
    // Bytes on disk of everything in the directory (st_blocks, so holes do not count).
    [[nodiscard]] std::uint64_t disk_bytes() const;
    // Removes the directory and all in it, the spec first. Never called while a keeper lives. What
    // is gone already is no error.
    [[nodiscard]] Result<void> remove(const StateDirectory& state);

  private:
    JobDirectory(keeper::JobId id, platform::UniqueFd directory, platform::UniqueFd lock);
    keeper::JobId id_;
    platform::UniqueFd directory_;
    platform::UniqueFd lock_;
};

}  // namespace bgshell::store
