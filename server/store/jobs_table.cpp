#include "store/jobs_table.hpp"

#include <utility>

namespace bgshell::store {
namespace {

// The columns of `SELECT * FROM jobs`, in the order of the schema.
enum Column : int {
    number,
    id,
    title,
    command,
    cwd,
    shell,
    owner,
    scope,
    client,
    key,
    created,
    runtime_limit_ms,
    service,
    output_limit_bytes,
    output_limit_mode,
    open_stdin,
    split_stderr,
    argument_digest,
    cwd_given,
    detached,
    ready,
    pid,
    state,
    ended,
    exit_record,
    after_record,
    settled,
    reserved_bytes,
};

std::int64_t to_milliseconds(platform::WallTime time) {
    return time.time_since_epoch().count();
}

platform::WallTime to_time(std::int64_t milliseconds) {
    return platform::WallTime{platform::Milliseconds{milliseconds}};
}

Result<std::optional<std::string>> read_owner(Cursor cursor) {
    auto row = cursor.step();
    if (!row) return row.error();
    if (!*row) return std::optional<std::string>{};
    return std::optional<std::string>{cursor.text(0)};
}

Result<JobsTable::Totals> read_totals(Cursor cursor) {
    auto row = cursor.step();
    if (!row) return row.error();
    return JobsTable::Totals{static_cast<std::uint64_t>(cursor.integer(0)),
                             static_cast<std::uint64_t>(cursor.integer(1))};
}

Result<void> drained(Cursor cursor) {
    auto rows = cursor.drain();
    if (!rows) return rows.error();
    return {};
}

}  // namespace

Result<bool> JobsTable::insert(const JobRow& row) {
    const auto& spec = row.spec;
    auto inserted = insert_
                        .run(spec.id.text(), spec.title, spec.command, spec.cwd, spec.shell,
                             spec.owner, spec.scope, spec.client, spec.key,
                             to_milliseconds(spec.created), spec.runtime_limit_ms, spec.service,
                             spec.output_limit_bytes, keeper::to_string(spec.output_limit_mode),
                             spec.open_stdin, spec.split_stderr, row.argument_digest, row.cwd_given,
                             row.detached, row.ready, row.pid, row.reserved_bytes)
                        .drain();
    if (!inserted) return inserted.error();
    return *inserted != 0;
}

Result<void> JobsTable::remove(const keeper::JobId& job) {
    return drained(remove_.run(job.text()));
}

Result<void> JobsTable::withdraw(const keeper::JobId& job) {
    return drained(withdraw_.run(job.text()));
}

Result<void> JobsTable::set_pid(const keeper::JobId& job, int value) {
    return drained(set_pid_.run(job.text(), value));
}

Result<void> JobsTable::set_ready(const keeper::JobId& job) {
    return drained(set_ready_.run(job.text()));
}

Result<void> JobsTable::set_runtime_limit(const keeper::JobId& job, std::int64_t limit_ms) {
    return drained(set_runtime_limit_.run(job.text(), limit_ms));
}

Result<std::optional<std::string>> JobsTable::end(const keeper::JobId& job, keeper::JobState end,
                                                  platform::WallTime at,
                                                  const std::optional<std::string>& record) {
    return read_owner(end_.run(job.text(), keeper::to_string(end), to_milliseconds(at), record));
}

Result<std::optional<std::string>> JobsTable::settle(const keeper::JobId& job,
                                                     const std::optional<std::string>& record,
                                                     std::uint64_t disk_bytes) {
    return read_owner(settle_.run(job.text(), record, disk_bytes));
}

Result<std::optional<JobRow>> JobsTable::find(const keeper::JobId& job) {
    return read_first(find_.run(job.text()));
}

Result<std::optional<JobRow>> JobsTable::find_key(const keeper::JobSpec& spec,
                                                  platform::WallTime floor) {
    return read_first(find_key_.run(spec.key, spec.scope, spec.client, to_milliseconds(floor)));
}

Result<std::vector<JobRow>> JobsTable::find_title(const std::string& wanted,
                                                  const std::string& of_owner,
                                                  const std::string& of_scope) {
    return read_all(find_title_.run(wanted, of_owner, of_scope));
}

Result<std::vector<JobRow>> JobsTable::find_same_command(const keeper::JobSpec& spec) {
    return read_all(find_same_command_.run(spec.command, spec.cwd, spec.scope, spec.id.text()));
}

Result<std::vector<keeper::JobId>> JobsTable::ids() {
    std::vector<keeper::JobId> found;
    auto cursor = ids_.run();
    while (true) {
        auto row = cursor.step();
        if (!row) return row.error();
        if (!*row) return found;
        const auto job = keeper::JobId::parse(cursor.text(0));
        if (!job) return database_.damaged("a job's id is not one");
        found.push_back(*job);
    }
}

Result<std::vector<JobRow>> JobsTable::live() {
    return read_all(live_.run());
}

Result<std::vector<JobRow>> JobsTable::live_of_others(const std::string& of_owner) {
    return read_all(live_of_others_.run(of_owner));
}

Result<bool> JobsTable::has_live_of_others(const std::string& of_owner) {
    auto cursor = has_live_of_others_.run(of_owner);
    return cursor.step();
}

Result<std::vector<JobRow>> JobsTable::slot_holders(const std::optional<std::string>& of_owner) {
    return read_all(slot_holders_.run(of_owner));
}

Result<std::vector<JobRow>> JobsTable::running_of_owner(const std::string& of_owner) {
    return read_all(running_of_owner_.run(of_owner));
}

Result<std::vector<JobRow>> JobsTable::running_in_scope(const std::string& of_scope) {
    return read_all(running_in_scope_.run(of_scope));
}

Result<std::vector<JobRow>> JobsTable::ended_of_owner(const std::string& of_owner,
                                                      std::uint32_t limit) {
    return read_all(ended_of_owner_.run(of_owner, limit));
}

Result<std::vector<JobRow>> JobsTable::ended_in_scope(const std::string& of_scope,
                                                      std::uint32_t limit) {
    return read_all(ended_in_scope_.run(of_scope, limit));
}

Result<JobsTable::Totals> JobsTable::totals_of_owner(const std::string& of_owner) {
    return read_totals(totals_of_owner_.run(of_owner));
}

Result<JobsTable::Totals> JobsTable::totals_in_scope(const std::string& of_scope) {
    return read_totals(totals_in_scope_.run(of_scope));
}

Result<JobsTable::Usage> JobsTable::usage(const std::string& of_owner) {
    auto cursor = usage_.run(of_owner);
    auto row = cursor.step();
    if (!row) return row.error();
    return Usage{static_cast<std::uint32_t>(cursor.integer(0)),
                 static_cast<std::uint32_t>(cursor.integer(1)),
                 static_cast<std::uint64_t>(cursor.integer(2))};
}

Result<std::vector<JobsTable::Removable>> JobsTable::removable(const std::string& of_owner,
                                                               std::uint32_t limit) {
    std::vector<Removable> found;
    auto cursor = removable_.run(of_owner, limit);
    while (true) {
        auto row = cursor.step();
        if (!row) return row.error();
        if (!*row) return found;
        const auto job = keeper::JobId::parse(cursor.text(0));
        if (!job) return database_.damaged("a job's id is not one");
        found.push_back({*job, static_cast<std::uint64_t>(cursor.integer(1))});
    }
}

Result<JobRow> JobsTable::read(const Cursor& cursor) const {
    const auto job = keeper::JobId::parse(cursor.text(Column::id));
    const auto job_state = keeper::parse_job_state(cursor.text(Column::state));
    const auto mode = keeper::parse_output_limit_mode(cursor.text(Column::output_limit_mode));
    if (!job || !job_state || !mode) {
        return database_.damaged("the row of job " + std::string{cursor.text(Column::id)} +
                                 " cannot be read");
    }
    JobRow row;
    row.spec.id = *job;
    row.spec.title = cursor.text(Column::title);
    row.spec.command = cursor.text(Column::command);
    row.spec.cwd = cursor.text(Column::cwd);
    row.spec.shell = cursor.text(Column::shell);
    row.spec.owner = cursor.text(Column::owner);
    row.spec.scope = cursor.text(Column::scope);
    row.spec.client = cursor.text(Column::client);
    row.spec.key = cursor.text(Column::key);
    row.spec.created = to_time(cursor.integer(Column::created));
    row.spec.runtime_limit_ms = cursor.integer(Column::runtime_limit_ms);
    row.spec.service = cursor.integer(Column::service) != 0;
    row.spec.output_limit_bytes =
        static_cast<std::uint64_t>(cursor.integer(Column::output_limit_bytes));
    row.spec.output_limit_mode = *mode;
    row.spec.open_stdin = cursor.integer(Column::open_stdin) != 0;
    row.spec.split_stderr = cursor.integer(Column::split_stderr) != 0;
    row.argument_digest = cursor.text(Column::argument_digest);
    row.cwd_given = cursor.integer(Column::cwd_given) != 0;
    row.detached = cursor.integer(Column::detached) != 0;
    row.ready = cursor.integer(Column::ready) != 0;
    row.pid = static_cast<int>(cursor.integer(Column::pid));
    row.state = *job_state;
    row.ended = to_time(cursor.integer(Column::ended));
    row.settled = cursor.integer(Column::settled) != 0;
    row.reserved_bytes = static_cast<std::uint64_t>(cursor.integer(Column::reserved_bytes));
    if (!cursor.is_null(Column::exit_record)) {
        row.exit = keeper::decode_exit(cursor.text(Column::exit_record));
        if (!row.exit)
            return database_.damaged("the exit record of job " + job->text() + " cannot be read");
    }
    if (!cursor.is_null(Column::after_record)) {
        row.after = keeper::decode_after(cursor.text(Column::after_record));
        if (!row.after)
            return database_.damaged("the after record of job " + job->text() + " cannot be read");
    }
    return row;
}

Result<std::vector<JobRow>> JobsTable::read_all(Cursor cursor) const {
    std::vector<JobRow> rows;
    while (true) {
        auto there = cursor.step();
        if (!there) return there.error();
        if (!*there) return rows;
        auto row = read(cursor);
        if (!row) return row.error();
        rows.push_back(std::move(*row));
    }
}

Result<std::optional<JobRow>> JobsTable::read_first(Cursor cursor) const {
    auto there = cursor.step();
    if (!there) return there.error();
    if (!*there) return std::optional<JobRow>{};
    auto row = read(cursor);
    if (!row) return row.error();
    return std::optional<JobRow>{std::move(*row)};
}

}  // namespace bgshell::store
