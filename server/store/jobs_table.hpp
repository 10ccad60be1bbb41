// JobsTable: the statements over `jobs`. Each is one statement; transactions are the registry's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/database.hpp"
#include "store/job_row.hpp"

namespace bgshell::store {

class JobsTable {
  public:
    explicit JobsTable(Database& database) : database_{database} {}

    struct Usage {
        std::uint32_t slots = 0;  // of the owner
        std::uint32_t slots_total = 0;
        std::uint64_t disk_bytes = 0;  // of the owner
    };
    struct Totals {
        std::uint64_t running = 0;
        std::uint64_t ended = 0;
    };

    // False: a row with this id is there already; it is left as it is.
    [[nodiscard]] Result<bool> insert(const JobRow& row);
    [[nodiscard]] Result<void> remove(const keeper::JobId& id);
    // Only a job that is running and has no shell yet.
    [[nodiscard]] Result<void> withdraw(const keeper::JobId& id);
    [[nodiscard]] Result<void> set_pid(const keeper::JobId& id, int pid);
    [[nodiscard]] Result<void> set_ready(const keeper::JobId& id);
    [[nodiscard]] Result<void> set_runtime_limit(const keeper::JobId& id, std::int64_t limit_ms);
    // The owner of the job if this call ended it, nullopt if it had ended or is unknown.
    [[nodiscard]] Result<std::optional<std::string>> end(
        const keeper::JobId& id, keeper::JobState state, platform::WallTime ended,
        const std::optional<std::string>& exit_record);
    // The same for the end of everything below an ended job.
    [[nodiscard]] Result<std::optional<std::string>> settle(
        const keeper::JobId& id, const std::optional<std::string>& after_record,
        std::uint64_t disk_bytes);

    [[nodiscard]] Result<std::optional<JobRow>> find(const keeper::JobId& id);
    // The newest job with this key that runs or ended at `floor` or later.
    [[nodiscard]] Result<std::optional<JobRow>> find_key(const keeper::JobSpec& spec,
                                                         platform::WallTime floor);
    [[nodiscard]] Result<std::vector<JobRow>> find_title(const std::string& title,
                                                         const std::string& owner,
                                                         const std::string& scope);
    [[nodiscard]] Result<std::vector<JobRow>> find_same_command(const keeper::JobSpec& spec);
    // Of all jobs, sorted.
    [[nodiscard]] Result<std::vector<keeper::JobId>> ids();
    // Jobs of which something may live, newest first.
    [[nodiscard]] Result<std::vector<JobRow>> live();
    [[nodiscard]] Result<std::vector<JobRow>> live_of_others(const std::string& owner);
    [[nodiscard]] Result<bool> has_live_of_others(const std::string& owner);
    // Those of them that count against slots, of one owner or of all: not a job that ended without
    // leftovers, whose keeper is merely still writing its last record.
    [[nodiscard]] Result<std::vector<JobRow>> slot_holders(const std::optional<std::string>& owner);
    [[nodiscard]] Result<std::vector<JobRow>> running_of_owner(const std::string& owner);
    [[nodiscard]] Result<std::vector<JobRow>> running_in_scope(const std::string& scope);
    // Newest end first.
    [[nodiscard]] Result<std::vector<JobRow>> ended_of_owner(const std::string& owner,
                                                             std::uint32_t limit);
    [[nodiscard]] Result<std::vector<JobRow>> ended_in_scope(const std::string& scope,
                                                             std::uint32_t limit);
    [[nodiscard]] Result<Totals> totals_of_owner(const std::string& owner);
    [[nodiscard]] Result<Totals> totals_in_scope(const std::string& scope);
    [[nodiscard]] Result<Usage> usage(const std::string& owner);
    // Ended, settled jobs without an untold notice, largest first, with their sizes.
    struct Removable {
        keeper::JobId id;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] Result<std::vector<Removable>> removable(const std::string& owner,
                                                           std::uint32_t limit);

  private:
    [[nodiscard]] Result<JobRow> read(const Cursor& cursor) const;
    [[nodiscard]] Result<std::vector<JobRow>> read_all(Cursor cursor) const;
    [[nodiscard]] Result<std::optional<JobRow>> read_first(Cursor cursor) const;

    Database& database_;

    Statement insert_{database_,
                      "INSERT INTO jobs (id, title, command, cwd, shell, owner, scope, client, key,"
                      " created, runtime_limit_ms, service, output_limit_bytes, output_limit_mode,"
                      " open_stdin, split_stderr, argument_digest, cwd_given, detached, ready, pid,"
                      " state, settled, reserved_bytes)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,"
                      " ?16, ?17, ?18, ?19, ?20, ?21, 'running', 0, ?22)"
                      " ON CONFLICT (id) DO NOTHING RETURNING number"};
    Statement remove_{database_, "DELETE FROM jobs WHERE id = ?1"};
    Statement withdraw_{database_,
                        "DELETE FROM jobs WHERE id = ?1 AND state = 'running' AND pid = 0"};
    Statement set_pid_{database_, "UPDATE jobs SET pid = ?2 WHERE id = ?1"};
    Statement set_ready_{database_, "UPDATE jobs SET ready = 1 WHERE id = ?1"};
    Statement set_runtime_limit_{database_, "UPDATE jobs SET runtime_limit_ms = ?2 WHERE id = ?1"};
    Statement end_{database_,
                   "UPDATE jobs SET state = ?2, ended = ?3, exit_record = ?4"
                   " WHERE id = ?1 AND ended IS NULL RETURNING owner"};
    Statement settle_{database_,
                      "UPDATE jobs SET settled = 1, after_record = ?2, reserved_bytes = ?3"
                      " WHERE id = ?1 AND settled = 0 AND ended IS NOT NULL RETURNING owner"};

    Statement ids_{database_, "SELECT id FROM jobs ORDER BY id"};
    Statement find_{database_, "SELECT * FROM jobs WHERE id = ?1"};
    Statement find_key_{database_,
                        "SELECT * FROM jobs WHERE key = ?1 AND key <> '' AND scope = ?2"
                        " AND client = ?3 AND (ended IS NULL OR ended >= ?4)"
                        " ORDER BY created DESC, number DESC LIMIT 1"};
    Statement find_title_{database_,
                          "SELECT * FROM jobs WHERE title = ?1 AND title <> ''"
                          " AND (owner = ?2 OR (scope = ?3 AND scope <> ''))"
                          " ORDER BY ended IS NOT NULL, created DESC, number DESC"};
    Statement find_same_command_{database_,
                                 "SELECT * FROM jobs WHERE settled = 0 AND ended IS NULL"
                                 " AND command = ?1 AND cwd = ?2 AND scope = ?3 AND id <> ?4"
                                 " ORDER BY created DESC, number DESC"};
    Statement live_{database_,
                    "SELECT * FROM jobs WHERE settled = 0 ORDER BY created DESC, number DESC"};
    Statement live_of_others_{database_,
                              "SELECT * FROM jobs WHERE settled = 0 AND owner <> ?1"
                              " ORDER BY created DESC, number DESC"};
    Statement has_live_of_others_{database_,
                                  "SELECT 1 FROM jobs WHERE settled = 0 AND owner <> ?1 LIMIT 1"};
    Statement slot_holders_{database_,
                            "SELECT * FROM jobs WHERE settled = 0 AND (?1 IS NULL OR owner = ?1)"
                            " AND (exit_record IS NULL"
                            "      OR json_extract(exit_record, '$.leftover_count') > 0)"
                            " ORDER BY created DESC, number DESC"};
    Statement running_of_owner_{database_,
                                "SELECT * FROM jobs WHERE owner = ?1 AND ended IS NULL"
                                " ORDER BY created DESC, number DESC"};
    Statement running_in_scope_{database_,
                                "SELECT * FROM jobs WHERE scope = ?1 AND ended IS NULL"
                                " ORDER BY created DESC, number DESC"};
    Statement ended_of_owner_{database_,
                              "SELECT * FROM jobs WHERE owner = ?1 AND ended IS NOT NULL"
                              " ORDER BY ended DESC, number DESC LIMIT ?2"};
    Statement ended_in_scope_{database_,
                              "SELECT * FROM jobs WHERE scope = ?1 AND ended IS NOT NULL"
                              " ORDER BY ended DESC, number DESC LIMIT ?2"};
    Statement totals_of_owner_{
        database_, "SELECT count(*) - count(ended), count(ended) FROM jobs WHERE owner = ?1"};
    Statement totals_in_scope_{
        database_, "SELECT count(*) - count(ended), count(ended) FROM jobs WHERE scope = ?1"};
    Statement usage_{database_,
                     "SELECT coalesce(sum(owner = ?1), 0), count(*),"
                     " (SELECT coalesce(sum(reserved_bytes), 0) FROM jobs WHERE owner = ?1)"
                     " FROM jobs WHERE settled = 0 AND (exit_record IS NULL"
                     "      OR json_extract(exit_record, '$.leftover_count') > 0)"};
    Statement removable_{database_,
                         "SELECT id, reserved_bytes FROM jobs WHERE owner = ?1 AND settled = 1"
                         " AND NOT EXISTS (SELECT 1 FROM notices"
                         "                 WHERE notices.job = jobs.id AND told = 0)"
                         " ORDER BY reserved_bytes DESC, number LIMIT ?2"};
};

}  // namespace bgshell::store
