// Registry: the SQLite database of a state directory. It is a cache of the job directories: whoever
// meets a record first writes it here with its notice, in one transaction. Only front ends write
// it.
//
// Synchronous, one connection, used by one thread at a time (Store, store.hpp). WAL, synchronous
// NORMAL, every writing transaction BEGIN IMMEDIATE. Opening runs the forward migrations. A call
// that fails has changed nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keeper/records.hpp"
#include "store/admission.hpp"
#include "store/error.hpp"
#include "store/job_row.hpp"
#include "store/notice.hpp"
#include "store/owner_row.hpp"
#include "store/seen.hpp"

namespace bgshell::store {

struct ListQuery {
    std::string owner;
    std::string scope;  // the jobs of this scope, whoever's they are (the owner's are among them);
                        // empty: the owner's only
    bool running = true;
    bool ended = true;
    std::uint32_t ended_limit = 20;
    friend bool operator==(const ListQuery&, const ListQuery&) = default;
};
struct Listing {
    std::vector<JobRow> running;  // newest first
    std::vector<JobRow> ended;    // newest end first
    std::uint64_t running_total = 0;
    std::uint64_t ended_total = 0;
    std::uint32_t slots_used = 0;       // of the owner
    std::uint64_t disk_used_bytes = 0;  // of the owner
    bool others_unsettled = false;      // jobs of other owners, in any scope: settle_others
};

class Registry {
  public:
    struct Options {
        // How long a lock of another process is waited for, by the first transaction that meets it.
        // One of ours takes well under a millisecond, a checkpoint tens. Longer waits are Store's.
        std::chrono::milliseconds busy_timeout{100};
        // A network file system has no shared memory for WAL: a rollback journal then, one machine.
        bool network = false;
    };

    // Opens or makes the database at `path` and brings it to this release's schema. A newer schema
    // is refused (ErrorKind::newer) and left untouched.
    [[nodiscard]] static Result<std::unique_ptr<Registry>> open(const std::string& path,
                                                                const Options& options);
    [[nodiscard]] static Result<std::unique_ptr<Registry>> open(const std::string& path) {
        return open(path, Options{});
    }
    // A second connection to a registry that `open` has brought to this release's schema, for
    // another thread. It waits for nobody: what another process locks is ErrorKind::busy at once.
    // With WAL nobody does so for longer than an instant, whatever is being written. The last
    // answers of `find` and `list` are kept for as long as nobody has written.
    [[nodiscard]] static Result<std::unique_ptr<Registry>> open_reader(const std::string& path);
    ~Registry();
    Registry(const Registry&) = delete;
    Registry& operator=(const Registry&) = delete;

    // Moves what the WAL holds into the database file, once that is some megabytes. Syncs both; no
    // transaction does. What keeps it from being done is met again after the next transaction.
    void checkpoint_if_due();

    // Whether this is a connection that never writes; whoever would have to gives up instead.
    [[nodiscard]] bool read_only() const noexcept { return last_answers_ != nullptr; }

    // What keeps the last writing transaction from having been done, if that may pass.
    [[nodiscard]] const std::optional<Error>& hindrance() const noexcept;

    // After its lock has been taken: an owner with a row and without a lock is dead.
    [[nodiscard]] Result<void> put_owner(const OwnerRow& owner);
    [[nodiscard]] Result<std::vector<OwnerRow>> owners();
    // Those of no job, oldest first.
    [[nodiscard]] Result<std::vector<OwnerRow>> owners_without_jobs();
    // Removes the row; its jobs stay.
    [[nodiscard]] Result<void> drop_owner(const std::string& id);

    // All or nothing, in one transaction.
    [[nodiscard]] Result<AdmissionAnswer> admit(const Admission& admission);
    // Takes an admitted job back that never got a keeper. A started or ended one stays.
    [[nodiscard]] Result<void> withdraw(const keeper::JobId& id);
    // A job that was found in its directory and has no row: as running and unsettled, with its
    // output limit reserved, outside all limits. False: there is a row.
    [[nodiscard]] Result<bool> insert_found(const keeper::JobSpec& spec);
    [[nodiscard]] Result<void> record_started(const keeper::JobId& id, int pid);
    [[nodiscard]] Result<void> record_ready(const keeper::JobId& id);
    [[nodiscard]] Result<void> record_limit(const keeper::JobId& id, std::int64_t runtime_limit_ms);
    // The end, and its notice if `notify`: only the first caller wins, true says that it was us.
    [[nodiscard]] Result<bool> record_end(const keeper::ExitRecord& record, bool notify);
    [[nodiscard]] Result<bool> record_lost(const keeper::JobId& id, platform::WallTime ended,
                                           bool notify);
    // The slot and the reservation become free; the log's true size counts from now on. The first
    // caller after the end wins. The notice's text is what stopped the leftovers.
    [[nodiscard]] Result<bool> record_after(const keeper::AfterRecord& record,
                                            std::uint64_t disk_bytes, bool notify_leftovers);
    // The same for an ended job whose keeper has gone without an after record.
    [[nodiscard]] Result<bool> record_gone(const keeper::JobId& id, std::uint64_t disk_bytes);

    [[nodiscard]] Result<std::optional<JobRow>> find(const keeper::JobId& id);
    // Jobs with exactly this title that `owner` or `scope` may see: running ones first, newest
    // first. An empty title finds none.
    [[nodiscard]] Result<std::vector<JobRow>> find_title(const std::string& title,
                                                         const std::string& owner,
                                                         const std::string& scope);
    // Running jobs of the same command and cwd in the scope, newest first, without `spec.id`
    // itself. Compares the command's first 4 KiB, which are what the registry has.
    [[nodiscard]] Result<std::vector<JobRow>> find_same_command(const keeper::JobSpec& spec);
    [[nodiscard]] Result<Listing> list(const ListQuery& query);
    // Every job of which something may live: without a recorded end, or ended and not settled.
    [[nodiscard]] Result<std::vector<JobRow>> unsettled();
    // Those of other owners than `owner`.
    [[nodiscard]] Result<std::vector<JobRow>> unsettled_of_others(const std::string& owner);
    // Ids of all jobs, sorted.
    [[nodiscard]] Result<std::vector<keeper::JobId>> ids();
    // With its notices and looks. The directory goes first (JobDirectory::remove): a directory
    // without a row would be taken for one that the registry has lost.
    [[nodiscard]] Result<void> remove(const keeper::JobId& id);

    // Notices of jobs of `owner`, oldest first.
    [[nodiscard]] Result<std::vector<Notice>> untold(const std::string& owner);
    // ErrorKind::not_found for an unknown job.
    [[nodiscard]] Result<Notice> add_notice(
        const keeper::JobId& job, NoticeKind kind, const std::string& text,
        platform::WallTime created = platform::SystemClock{}.wall());

    // "Your last look": the log offset up to which `caller` has been shown `job`; 0 if never.
    [[nodiscard]] Result<std::uint64_t> look(const std::string& caller, const keeper::JobId& job);
    // What has been told, in one transaction: notices by `row`, and how far looks have moved.
    // Notices that are told or gone are passed over; no look moves back, for two answers may be
    // delivered in the wrong order.
    [[nodiscard]] Result<void> record_told(const std::vector<std::int64_t>& notices,
                                           const std::vector<Seen>& seen);

  private:
    struct Statements;
    struct LastAnswers;
    [[nodiscard]] Result<Listing> read_listing(const ListQuery& query);
    // Those that still hold, else empty ones. Only where read_only().
    [[nodiscard]] Result<LastAnswers*> last_answers();
    Registry(std::unique_ptr<Statements> statements, std::unique_ptr<LastAnswers> last_answers);
    std::unique_ptr<Statements> statements_;
    std::unique_ptr<LastAnswers> last_answers_;  // null where it writes
};

}  // namespace bgshell::store
