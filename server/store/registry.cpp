#include "store/registry.hpp"

#include <utility>

#include "store/database.hpp"
#include "store/jobs_table.hpp"
#include "store/looks_table.hpp"
#include "store/notices_table.hpp"
#include "store/owners_table.hpp"
#include "store/schema.hpp"

namespace bgshell::store {
namespace {

template <class Change>
auto try_write(Transactions& transactions, Change&& change) -> decltype(change()) {
    auto transaction = transactions.begin_write();
    if (!transaction) return transaction.error();
    auto result = change();
    if (!result) return result;
    if (auto committed = transaction->commit(); !committed) return committed.error();
    return result;
}

// Runs `change` in a writing transaction: committed if it gives a value, else rolled back.
template <class Statements, class Change>
auto write(Statements& statements, Change&& change) -> decltype(change()) {
    auto result = try_write(statements.transactions, std::forward<Change>(change));
    std::optional<Error> failure;
    if (!result) failure = result.error();
    statements.database->note_write(std::move(failure));
    return result;
}

}  // namespace

struct Registry::Statements {
    explicit Statements(std::unique_ptr<Database> opened) : database{std::move(opened)} {}

    // The end of a job and its notice.
    Result<bool> end(const keeper::JobId& id, keeper::JobState state, platform::WallTime ended,
                     const std::optional<std::string>& record, bool notify) {
        auto owner = jobs.end(id, state, ended, record);
        if (!owner) return owner.error();
        if (!*owner) return false;
        if (notify) {
            auto notice = notices.add(id, NoticeKind::ended, {}, ended);
            if (!notice) return notice.error();
        }
        return true;
    }

    std::unique_ptr<Database> database;
    Transactions transactions{*database};
    OwnersTable owners{*database};
    JobsTable jobs{*database};
    NoticesTable notices{*database};
    LooksTable looks{*database};
    Statement data_version{*database, "PRAGMA data_version"};
};

struct Registry::LastAnswers {
    std::int64_t version = 0;  // of the data
    std::optional<JobRow> found;
    std::optional<ListQuery> query;
    Listing listing;
};

Registry::Registry(std::unique_ptr<Statements> statements,
                   std::unique_ptr<LastAnswers> last_answers)
    : statements_{std::move(statements)}, last_answers_{std::move(last_answers)} {}
Registry::~Registry() = default;

Result<std::unique_ptr<Registry>> Registry::open(const std::string& path, const Options& options) {
    auto database = Database::open(path, options.busy_timeout);
    if (!database) return database.error();
    if (auto migrated = migrate(**database, options.network); !migrated) return migrated.error();
    auto statements = std::make_unique<Statements>(std::move(*database));
    return std::unique_ptr<Registry>{new Registry{std::move(statements), nullptr}};
}

Result<std::unique_ptr<Registry>> Registry::open_reader(const std::string& path) {
    auto database = Database::open(path, std::chrono::milliseconds{0});
    if (!database) return database.error();
    if (auto configured = (*database)->configure_reader(); !configured) return configured.error();
    auto statements = std::make_unique<Statements>(std::move(*database));
    return std::unique_ptr<Registry>{
        new Registry{std::move(statements), std::make_unique<LastAnswers>()}};
}

void Registry::checkpoint_if_due() {
    statements_->database->checkpoint_if_due();
}

const std::optional<Error>& Registry::hindrance() const noexcept {
    return statements_->database->hindrance();
}

Result<void> Registry::put_owner(const OwnerRow& owner) {
    return write(*statements_, [&] { return statements_->owners.put(owner); });
}

Result<std::vector<OwnerRow>> Registry::owners() {
    return statements_->owners.all();
}

Result<std::vector<OwnerRow>> Registry::owners_without_jobs() {
    return statements_->owners.without_jobs();
}

Result<void> Registry::drop_owner(const std::string& id) {
    return write(*statements_, [&] { return statements_->owners.remove(id); });
}

Result<AdmissionAnswer> Registry::admit(const Admission& admission) {
    return write(*statements_, [&] { return decide(statements_->jobs, admission); });
}

Result<void> Registry::withdraw(const keeper::JobId& id) {
    return write(*statements_, [&] { return statements_->jobs.withdraw(id); });
}

Result<bool> Registry::insert_found(const keeper::JobSpec& spec) {
    JobRow row;
    row.spec = spec;
    row.reserved_bytes = spec.output_limit_bytes;
    return write(*statements_, [&] { return statements_->jobs.insert(row); });
}

Result<void> Registry::record_started(const keeper::JobId& id, int pid) {
    return write(*statements_, [&] { return statements_->jobs.set_pid(id, pid); });
}

Result<void> Registry::record_ready(const keeper::JobId& id) {
    return write(*statements_, [&] { return statements_->jobs.set_ready(id); });
}

Result<void> Registry::record_limit(const keeper::JobId& id, std::int64_t runtime_limit_ms) {
    return write(*statements_,
                 [&] { return statements_->jobs.set_runtime_limit(id, runtime_limit_ms); });
}

Result<bool> Registry::record_end(const keeper::ExitRecord& record, bool notify) {
    return write(*statements_, [&] {
        return statements_->end(record.id, record.state, record.ended, keeper::encode_exit(record),
                                notify);
    });
}

Result<bool> Registry::record_lost(const keeper::JobId& id, platform::WallTime ended, bool notify) {
    return write(*statements_, [&] {
        return statements_->end(id, keeper::JobState::lost, ended, std::nullopt, notify);
    });
}

Result<bool> Registry::record_after(const keeper::AfterRecord& record, std::uint64_t disk_bytes,
                                    bool notify_leftovers) {
    return write(*statements_, [&]() -> Result<bool> {
        auto owner = statements_->jobs.settle(record.id, keeper::encode_after(record), disk_bytes);
        if (!owner) return owner.error();
        if (!*owner) return false;
        if (notify_leftovers) {
            auto notice = statements_->notices.add(record.id, NoticeKind::leftovers_ended,
                                                   record.leftovers_stopped_by, record.ended);
            if (!notice) return notice.error();
        }
        return true;
    });
}

Result<bool> Registry::record_gone(const keeper::JobId& id, std::uint64_t disk_bytes) {
    return write(*statements_, [&]() -> Result<bool> {
        auto owner = statements_->jobs.settle(id, std::nullopt, disk_bytes);
        if (!owner) return owner.error();
        return owner->has_value();
    });
}

Result<Registry::LastAnswers*> Registry::last_answers() {
    auto cursor = statements_->data_version.run();
    const auto row = cursor.step();
    if (!row) return row.error();
    // Changes with every commit of another connection, in this process or not.
    const std::int64_t version = *row ? cursor.integer(0) : 0;
    if (version != last_answers_->version) *last_answers_ = {};
    last_answers_->version = version;
    return last_answers_.get();
}

Result<std::optional<JobRow>> Registry::find(const keeper::JobId& id) {
    if (!read_only()) return statements_->jobs.find(id);
    auto last = last_answers();
    if (!last) return last.error();
    auto& found = (*last)->found;
    if (found && found->spec.id == id) return found;
    auto row = statements_->jobs.find(id);
    if (row && *row) found = **row;
    return row;
}

Result<std::vector<JobRow>> Registry::find_title(const std::string& title, const std::string& owner,
                                                 const std::string& scope) {
    return statements_->jobs.find_title(title, owner, scope);
}

Result<std::vector<JobRow>> Registry::find_same_command(const keeper::JobSpec& spec) {
    return statements_->jobs.find_same_command(spec);
}

Result<Listing> Registry::list(const ListQuery& query) {
    if (!read_only()) return read_listing(query);
    auto last = last_answers();
    if (!last) return last.error();
    if ((*last)->query == query) return (*last)->listing;
    auto listing = read_listing(query);
    if (!listing) return listing;
    (*last)->query = query;
    (*last)->listing = *listing;
    return listing;
}

Result<Listing> Registry::read_listing(const ListQuery& query) {
    auto snapshot = statements_->transactions.begin_read();
    if (!snapshot) return snapshot.error();
    const bool by_owner = query.scope.empty();
    auto& jobs = statements_->jobs;
    Listing listing;
    if (query.running) {
        auto rows =
            by_owner ? jobs.running_of_owner(query.owner) : jobs.running_in_scope(query.scope);
        if (!rows) return rows.error();
        listing.running = std::move(*rows);
    }
    if (query.ended) {
        auto rows = by_owner ? jobs.ended_of_owner(query.owner, query.ended_limit)
                             : jobs.ended_in_scope(query.scope, query.ended_limit);
        if (!rows) return rows.error();
        listing.ended = std::move(*rows);
    }
    const auto totals =
        by_owner ? jobs.totals_of_owner(query.owner) : jobs.totals_in_scope(query.scope);
    if (!totals) return totals.error();
    const auto usage = jobs.usage(query.owner);
    if (!usage) return usage.error();
    const auto others = jobs.has_live_of_others(query.owner);
    if (!others) return others.error();
    listing.others_unsettled = *others;
    listing.running_total = totals->running;
    listing.ended_total = totals->ended;
    listing.slots_used = usage->slots;
    listing.disk_used_bytes = usage->disk_bytes;
    if (auto done = snapshot->commit(); !done) return done.error();
    return listing;
}

Result<std::vector<JobRow>> Registry::unsettled() {
    return statements_->jobs.live();
}

Result<std::vector<JobRow>> Registry::unsettled_of_others(const std::string& owner) {
    return statements_->jobs.live_of_others(owner);
}

Result<std::vector<keeper::JobId>> Registry::ids() {
    return statements_->jobs.ids();
}

Result<void> Registry::remove(const keeper::JobId& id) {
    return write(*statements_, [&] { return statements_->jobs.remove(id); });
}

Result<std::vector<Notice>> Registry::untold(const std::string& owner) {
    return statements_->notices.untold(owner);
}

Result<Notice> Registry::add_notice(const keeper::JobId& job, NoticeKind kind,
                                    const std::string& text, platform::WallTime created) {
    return write(*statements_, [&] { return statements_->notices.add(job, kind, text, created); });
}

Result<void> Registry::record_told(const std::vector<std::int64_t>& notices,
                                   const std::vector<Seen>& seen) {
    return write(*statements_, [&]() -> Result<void> {
        for (const auto row : notices) {
            if (auto done = statements_->notices.mark_told(row); !done) return done;
        }
        for (const auto& look : seen) {
            if (auto done = statements_->looks.move(look); !done) return done;
        }
        return {};
    });
}

Result<std::uint64_t> Registry::look(const std::string& caller, const keeper::JobId& job) {
    return statements_->looks.find(caller, job);
}

}  // namespace bgshell::store
