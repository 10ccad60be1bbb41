// Admission: a start asks for its key, a slot and its share of the disk budget at once, so that two
// front ends cannot both get the last one.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "platform/clock.hpp"
#include "store/job_row.hpp"
#include "store/jobs_table.hpp"

namespace bgshell::store {

struct Admission {
    JobRow row;  // reserved_bytes is what it asks for
    std::uint32_t slots = 16;
    std::uint32_t slots_total = 64;
    std::uint64_t disk_budget_bytes = 0;
    std::uint64_t least_bytes = 0;   // a smaller output limit it would take
    platform::WallTime key_floor{};  // keys of jobs that ended before this are free again
};

struct Admitted {
    std::uint64_t reserved_bytes = 0;  // below what was asked for if the budget is nearly used; the
                                       // row's output limit is lowered to it
    std::uint32_t slots_used = 0;      // of the owner, this one included
};
struct KeyTaken {
    JobRow row;
    bool same_arguments = false;
};
struct SlotsFull {
    bool total = false;           // slots_total, not the owner's
    std::vector<JobRow> running;  // who holds them (leftovers hold one too), newest first
};
struct BudgetFull {
    std::uint64_t used_bytes = 0;
    // Ended, told jobs of the owner whose removal frees most: the largest ones, as many as it takes
    // to fit what was asked for, at most kRemovableNamed. Empty: no removal helps.
    std::vector<keeper::JobId> removable;
    std::uint64_t removable_bytes = 0;
};
using AdmissionAnswer = std::variant<Admitted, KeyTaken, SlotsFull, BudgetFull>;

inline constexpr std::uint32_t kRemovableNamed = 10;

// Decides and, if admitted, inserts the row. The caller holds the write transaction and rolls it
// back on an error.
[[nodiscard]] Result<AdmissionAnswer> decide(JobsTable& jobs, const Admission& admission);

}  // namespace bgshell::store
