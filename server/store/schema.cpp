#include "store/schema.hpp"

#include <array>
#include <string>

namespace bgshell::store {
namespace {

// Times are milliseconds since the epoch, sizes bytes. A released migration is never changed: the
// next schema is one more entry, and JobsTable reads the columns of `jobs` by their position.
constexpr std::array<const char*, kSchemaVersion> kMigrations{
    // 1
    R"sql(
CREATE TABLE owners (
    id      TEXT PRIMARY KEY NOT NULL,
    client  TEXT NOT NULL,
    scope   TEXT NOT NULL,
    started INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
    number             INTEGER PRIMARY KEY,
    id                 TEXT NOT NULL UNIQUE,
    title              TEXT NOT NULL,
    command            TEXT NOT NULL,
    cwd                TEXT NOT NULL,
    shell              TEXT NOT NULL,
    owner              TEXT NOT NULL,
    scope              TEXT NOT NULL,
    client             TEXT NOT NULL,
    key                TEXT NOT NULL,
    created            INTEGER NOT NULL,
    runtime_limit_ms   INTEGER NOT NULL,
    service            INTEGER NOT NULL CHECK (service IN (0, 1)),
    output_limit_bytes INTEGER NOT NULL,
    output_limit_mode  TEXT NOT NULL,
    open_stdin         INTEGER NOT NULL CHECK (open_stdin IN (0, 1)),
    split_stderr       INTEGER NOT NULL CHECK (split_stderr IN (0, 1)),
    argument_digest    TEXT NOT NULL,
    cwd_given          INTEGER NOT NULL CHECK (cwd_given IN (0, 1)),
    detached           INTEGER NOT NULL CHECK (detached IN (0, 1)),
    ready              INTEGER NOT NULL CHECK (ready IN (0, 1)),
    pid                INTEGER NOT NULL,
    state              TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed',
                           'cancelled', 'timed_out', 'output_limit', 'lost')),
    ended              INTEGER,
    exit_record        TEXT,     -- the text of exit.json
    after_record       TEXT,     -- the text of after.json
    settled            INTEGER NOT NULL CHECK (settled IN (0, 1)),  -- nothing of it lives any more
    reserved_bytes     INTEGER NOT NULL,  -- its share of the disk budget; once settled its true size
    CHECK ((ended IS NULL) = (state IN ('queued', 'running'))),
    CHECK (settled = 0 OR ended IS NOT NULL)
) STRICT;
CREATE INDEX jobs_live  ON jobs (owner) WHERE settled = 0;
CREATE INDEX jobs_owner ON jobs (owner, ended, reserved_bytes);
CREATE INDEX jobs_scope ON jobs (scope, ended);
CREATE INDEX jobs_title ON jobs (title) WHERE title <> '';
CREATE INDEX jobs_key   ON jobs (key) WHERE key <> '';

CREATE TABLE notices (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    job     TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    owner   TEXT NOT NULL,
    text    TEXT NOT NULL,
    created INTEGER NOT NULL,
    told    INTEGER NOT NULL CHECK (told IN (0, 1)),
    UNIQUE (job, kind, seq)
) STRICT;
CREATE INDEX notices_untold ON notices (owner) WHERE told = 0;

CREATE TABLE looks (
    job    TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    caller TEXT NOT NULL,
    offset INTEGER NOT NULL,
    PRIMARY KEY (job, caller)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 1;
)sql",
};

constexpr auto kSynced = "PRAGMA synchronous = NORMAL";
constexpr auto kUnsynced = "PRAGMA synchronous = OFF";

Error newer(const Database& database, std::int64_t version) {
    return Error{ErrorKind::newer,
                 "The registry " + database.path() + " was written by a newer bgshell (schema " +
                     std::to_string(version) + ", this one knows " +
                     std::to_string(kSchemaVersion) +
                     "). Install that release, or set BGSHELL_STATE to another directory."};
}

// Runs the migrations that are missing.
Result<void> advance(Database& database) {
    Transactions transactions{database};
    auto transaction = transactions.begin_write();
    if (!transaction) return transaction.error();
    const auto version = database.query_integer("PRAGMA user_version");
    if (!version) return version.error();
    if (*version > kSchemaVersion) return newer(database, *version);
    // Somebody else may have been first.
    for (auto next = static_cast<std::size_t>(*version); next < kMigrations.size(); ++next) {
        if (auto done = database.execute(kMigrations.at(next)); !done) return done.error();
    }
    return transaction->commit();
}

}  // namespace

Result<void> migrate(Database& database, bool network) {
    const auto version = database.query_integer("PRAGMA user_version");
    if (!version) return version.error();
    if (*version > kSchemaVersion) return newer(database, *version);
    // A new registry knows nothing yet that a power loss could take, and the first start waits for
    // it: half a dozen syncs.
    const bool is_new = *version == 0;
    if (auto set = database.execute(is_new ? kUnsynced : kSynced); !set) return set.error();
    if (auto configured = database.configure(network); !configured) return configured.error();
    if (*version == kSchemaVersion) return {};
    if (auto advanced = advance(database); !advanced) return advanced.error();
    return database.execute(kSynced);
}

}  // namespace bgshell::store
