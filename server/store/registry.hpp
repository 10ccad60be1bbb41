// Registry: the SQLite database of a state directory. It is a cache of the job directories: whoever
// meets a record first writes it here with its notice, in one transaction. Only front ends write it.
//
// Synchronous, one connection, used by one thread (Store, store.hpp). WAL, synchronous NORMAL, every
// writing transaction BEGIN IMMEDIATE. Opening runs the forward migrations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "keeper/records.hpp"
#include "store/error.hpp"

namespace bgshell::store {

// One row of `jobs`: the fields of a job by their names in the contract.
struct JobRow {
    keeper::JobSpec spec;
    keeper::JobState state = keeper::JobState::running;
    int pid = 0;                      // of the shell, 0 before it started
    std::optional<keeper::ExitRecord> exit;   // present exactly when ended, but for `lost`
    std::optional<keeper::AfterRecord> after; // present once everything below the job has ended
    platform::WallTime ended{};       // also for `lost`
    std::uint64_t reserved_bytes = 0; // what it counts in its owner's disk budget
    std::string argument_digest;      // of the arguments that a `key` guards
    bool cwd_given = false;
    bool detached = false;
    bool ready = false;               // wait_for of its start matched
};

enum class NoticeKind : std::uint8_t { ended, limit_near, leftovers_ended };
[[nodiscard]] std::string_view to_string(NoticeKind kind) noexcept;

struct Notice {
    std::int64_t row = 0;
    keeper::JobId job;
    NoticeKind kind = NoticeKind::ended;
    std::int64_t seq = 0;
    std::string text;       // what the row itself cannot say, e.g. how the leftovers ended
    std::string owner;      // of the job
    platform::WallTime created{};
};

struct OwnerRow {
    std::string id;
    std::string client;
    std::string scope;
    platform::WallTime started{};
};

// A start asks for a slot and for disk in one transaction, so that two front ends cannot share one.
struct Admission {
    JobRow row;                        // reserved_bytes is what it asks for
    std::uint32_t slots = 16;
    std::uint32_t slots_total = 64;
    std::uint64_t disk_budget_bytes = 0;
    std::uint64_t least_bytes = 0;     // a smaller output limit it would take
    platform::WallTime key_floor{};    // keys of jobs that ended before this are free again
};
struct Admitted {
    std::uint64_t reserved_bytes = 0;  // below what was asked for if the budget is nearly used
    std::uint32_t slots_used = 0;      // of the owner, this one included
};
struct KeyTaken {
    JobRow row;
    bool same_arguments = false;
};
struct SlotsFull {
    bool total = false;                // slots_total, not the owner's
    std::vector<JobRow> running;       // who holds them, newest first
};
struct BudgetFull {
    std::uint64_t used_bytes = 0;
    std::vector<keeper::JobId> removable;  // ended, told ones whose removal frees most
    std::uint64_t removable_bytes = 0;
};
using AdmissionAnswer = std::variant<Admitted, KeyTaken, SlotsFull, BudgetFull>;

struct ListQuery {
    std::string owner;
    std::string scope;       // on stdio every job of the OS user in the scope is listed
    bool running = true;
    bool ended = true;
    std::uint32_t ended_limit = 20;
};
struct Listing {
    std::vector<JobRow> running;  // newest first
    std::vector<JobRow> ended;    // newest end first
    std::uint64_t running_total = 0;
    std::uint64_t ended_total = 0;
    std::uint32_t slots_used = 0;       // of the owner
    std::uint64_t disk_used_bytes = 0;  // of the owner
};

class Registry {
  public:
    // Opens or makes the database at `path` and brings it to this release's schema. A newer schema is
    // refused (ErrorKind::newer) and left untouched.
    [[nodiscard]] static Result<std::unique_ptr<Registry>> open(const std::string& path);
    ~Registry();
    Registry(const Registry&) = delete;
    Registry& operator=(const Registry&) = delete;

    [[nodiscard]] Result<void> put_owner(const OwnerRow& owner);
    [[nodiscard]] Result<std::vector<OwnerRow>> owners();
    // Removes the row; its jobs stay.
    [[nodiscard]] Result<void> drop_owner(const std::string& id);

    // All or nothing, in one transaction.
    [[nodiscard]] Result<AdmissionAnswer> admit(const Admission& admission);
    // Takes an admitted job back that never got a keeper.
    [[nodiscard]] Result<void> withdraw(const keeper::JobId& id);
    [[nodiscard]] Result<void> record_started(const keeper::JobId& id, int pid);
    [[nodiscard]] Result<void> record_ready(const keeper::JobId& id);
    [[nodiscard]] Result<void> record_limit(const keeper::JobId& id, std::int64_t runtime_limit_ms);
    // The end, and its notice if `notify`: only the first caller wins, true says that it was us.
    [[nodiscard]] Result<bool> record_end(const keeper::ExitRecord& record, bool notify);
    [[nodiscard]] Result<bool> record_lost(const keeper::JobId& id, platform::WallTime ended,
                                           bool notify);
    // The slot and the reservation become free; the log's true size counts from now on.
    [[nodiscard]] Result<bool> record_after(const keeper::AfterRecord& record,
                                            std::uint64_t disk_bytes, bool notify_leftovers);

    [[nodiscard]] Result<std::optional<JobRow>> find(const keeper::JobId& id);
    // Jobs with exactly this title that `owner` or `scope` may see: running ones first, newest first.
    [[nodiscard]] Result<std::vector<JobRow>> find_title(const std::string& title,
                                                         const std::string& owner,
                                                         const std::string& scope);
    // Running jobs of the same command and cwd in the scope, newest first.
    [[nodiscard]] Result<std::vector<JobRow>> find_same_command(const keeper::JobSpec& spec);
    [[nodiscard]] Result<Listing> list(const ListQuery& query);
    // Every job without a recorded end, and every ended one without an `after` record.
    [[nodiscard]] Result<std::vector<JobRow>> unsettled();
    [[nodiscard]] Result<void> remove(const keeper::JobId& id);

    // Notices of jobs of `owner`, or of dead owners of `scope`, oldest first.
    [[nodiscard]] Result<std::vector<Notice>> untold(const std::string& owner);
    [[nodiscard]] Result<Notice> add_notice(const keeper::JobId& job, NoticeKind kind,
                                            const std::string& text);
    [[nodiscard]] Result<void> mark_told(const std::vector<std::int64_t>& notices);

    // "Your last look": the log offset up to which `caller` has been shown `job`; 0 if never.
    [[nodiscard]] Result<std::uint64_t> look(const std::string& caller, const keeper::JobId& job);
    [[nodiscard]] Result<void> move_look(const std::string& caller, const keeper::JobId& job,
                                         std::uint64_t offset);

  private:
    Registry();
    struct Statements;
    std::unique_ptr<Statements> statements_;
};

}  // namespace bgshell::store
