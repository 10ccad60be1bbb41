// Settling: the registry learns from the job directories what nobody told it, because the keeper,
// the front end or the machine ended first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/job_row.hpp"
#include "store/registry.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

// Settles `row`, a job that is not settled, if nobody lives behind it (its lock can be taken, or
// its directory is gone): the end by its exit record if that is valid, else `lost` at `now`; then
// its after record, or none, and its true size. Each change makes its notice. Where the keeper
// lives but the owner does not, an exit record that is there is taken over. True: it is settled
// now.
[[nodiscard]] Result<bool> settle_job(const StateDirectory& state, Registry& registry,
                                      const JobRow& row, platform::WallTime now);

// Settles every job that can be settled; one whose directory cannot be read stays as it is. One
// query if none is unsettled. The ids of those that are settled now.
[[nodiscard]] Result<std::vector<keeper::JobId>> settle(const StateDirectory& state,
                                                        Registry& registry, platform::WallTime now);

// Like settle, for the jobs of other owners than `owner`: of their ends nobody tells it. One that
// cannot be settled now stays as it is. With a read-only registry ErrorKind::busy if there are any.
[[nodiscard]] Result<void> settle_others(const StateDirectory& state, Registry& registry,
                                         const std::string& owner, platform::WallTime now);

// The row of a job, settled first if nobody lives behind it. With a read-only registry
// ErrorKind::busy where that would have to be found out.
[[nodiscard]] Result<std::optional<JobRow>> find_settled(const StateDirectory& state,
                                                         Registry& registry,
                                                         const keeper::JobId& id,
                                                         platform::WallTime now);

// Makes the registry know the directories that are there: one with a spec and without a row gets
// its row back (unsettled, so `settle` does the rest), one that never got so far and is a minute
// old is removed. How many rows came back. Reads the list of all jobs: for an opening.
[[nodiscard]] Result<std::uint32_t> take_in(const StateDirectory& state, Registry& registry,
                                            platform::WallTime now);

// Forgets the owners that are dead and have no job left, with their locks.
[[nodiscard]] Result<void> bury_owners(const StateDirectory& state, Registry& registry);

}  // namespace bgshell::store
