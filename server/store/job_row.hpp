// JobRow: what the registry knows of a job: its fields by their names in the contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "keeper/records.hpp"
#include "platform/clock.hpp"

namespace bgshell::store {

struct JobRow {
    keeper::JobSpec spec;
    keeper::JobState state = keeper::JobState::running;
    int pid = 0;                               // of the shell, 0 before it started
    std::optional<keeper::ExitRecord> exit;    // present exactly when ended, but for `lost`
    std::optional<keeper::AfterRecord> after;  // present once everything below the job has ended,
                                               // unless the keeper vanished before it could say so
    bool settled = false;                      // nothing of the job lives: its slot is free
    platform::WallTime ended{};                // also for `lost`
    std::uint64_t reserved_bytes = 0;          // what it counts in its owner's disk budget: its
                                               // output limit, once settled its true size
    std::string argument_digest;               // of the arguments that a `key` guards
    bool cwd_given = false;
    bool detached = false;
    bool ready = false;  // wait_for of its start matched
};

}  // namespace bgshell::store
