#include "store/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::store {
namespace {

// SQLite would make the file with the umask's mode. It is opened only when it is new: closing any
// descriptor of a file drops this process's POSIX locks on it, SQLite's included.
Result<void> make_private(const std::string& path) {
    const int fd = platform::retry_eintr([&] {
        return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    });
    const platform::UniqueFd file{fd};
    if (fd >= 0 || errno == EEXIST) return {};
    const int number = errno;
    return Error{ErrorKind::io,
                 "The registry " + path + " cannot be made: " + std::strerror(number) +
                     ". Make its directory writable, or set BGSHELL_STATE to one that is.",
                 number};
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const std::string& path,
                                                 std::chrono::milliseconds busy_timeout) {
    if (auto made = make_private(path); !made) return made.error();
    sqlite3* handle = nullptr;
    // NOMUTEX: one thread at a time is this class's contract.
    const int status = sqlite3_open_v2(path.c_str(), &handle,
                                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    std::unique_ptr<Database> database{new Database{handle, path, busy_timeout}};
    if (status != SQLITE_OK) return database->error();
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, static_cast<int>(busy_timeout.count()));
    // A front end must be gone 50 ms after its client; a checkpoint at close would sync the disk.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    return database;
}

Database::~Database() {
    sqlite3_close_v2(handle_);
}

Result<void> Database::execute(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error();
    return {};
}

Result<std::int64_t> Database::query_integer(const char* sql) {
    Statement statement{*this, sql};
    auto cursor = statement.run();
    auto row = cursor.step();
    if (!row) return row.error();
    return *row ? cursor.integer(0) : 0;
}

Result<void> Database::configure(bool network) {
    // Two processes that turn the same new file to WAL at once: SQLite refuses one of them without
    // asking the busy timeout.
    const auto deadline = std::chrono::steady_clock::now() + busy_timeout_;
    const char* sql = network ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL";
    auto mode = execute(sql);
    while (!mode && mode.error().kind() == ErrorKind::busy &&
           std::chrono::steady_clock::now() < deadline) {
        sqlite3_sleep(1);
        mode = execute(sql);
    }
    if (!mode) return mode;
    const auto note_pages = [](void* database, sqlite3*, const char*, int pages) noexcept {
        static_cast<Database*>(database)->wal_pages_ = pages;
        return SQLITE_OK;
    };
    sqlite3_wal_hook(handle_, note_pages, this);  // in the place of SQLite's own checkpoints
    return execute(
        "PRAGMA foreign_keys = ON;"
        // Text of the model's commands must not be able to reach SQL functions through a schema.
        "PRAGMA trusted_schema = OFF;");
}

void Database::checkpoint_if_due() noexcept {
    constexpr int kDuePages = 1000;  // SQLite's default
    if (wal_pages_ < kDuePages) return;
    wal_pages_ = 0;
    sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

Result<void> Database::configure_reader() {
    return execute(
        "PRAGMA query_only = ON;"
        "PRAGMA trusted_schema = OFF;");
}

void Database::note_write(std::optional<Error> failure) noexcept {
    const auto is_lock = [](const auto& hindrance) {
        return hindrance && hindrance->kind() == ErrorKind::busy;
    };
    const bool was_locked = is_lock(hindrance_);
    if (failure && !failure->may_pass()) failure.reset();
    hindrance_ = std::move(failure);
    if (was_locked == is_lock(hindrance_)) return;
    const auto timeout = was_locked ? busy_timeout_ : std::chrono::milliseconds{0};
    sqlite3_busy_timeout(handle_, static_cast<int>(timeout.count()));
}

Error Database::damaged(std::string_view what) const {
    return Error{ErrorKind::database,
                 "The registry " + path_ + " is damaged (" + std::string{what} +
                     "). Move it away with its -wal and -shm files: the next "
                     "start makes a new one from the job directories, in which "
                     "nothing but looks and told notices is missing."};
}

Error Database::error() const {
    const int extended = sqlite3_extended_errcode(handle_);
    const std::string message = sqlite3_errmsg(handle_);
    const int number = sqlite3_system_errno(handle_);
    const std::string name = "The registry " + path_;
    Error full{ErrorKind::io,
               name + " cannot grow: the disk is full. Free some space; removing ended jobs does.",
               ENOSPC};
    switch (extended & 0xff) {
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return damaged(message);
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return Error{ErrorKind::busy,
                         name +
                             " is kept locked by another program (bgshell itself locks it for "
                             "milliseconds, and waits at most 5 s to write). Find that program "
                             "with fuser, end its transaction or the program, then try again."};
        case SQLITE_FULL:
            return full;
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return Error{ErrorKind::io,
                         name + " cannot be opened for writing (" + message +
                             "). Make it and its directory writable, or set BGSHELL_STATE to one "
                             "that is.",
                         number};
        case SQLITE_IOERR:
            if (number == ENOSPC || number == EDQUOT) return full;
            return Error{ErrorKind::io,
                         name + " cannot be read or written: " +
                             (number != 0 ? std::strerror(number) : message.c_str()) +
                             ". Check the disk.",
                         number};
        default:
            return Error{ErrorKind::database, name + " refused: " + message + "."};
    }
}

Cursor::~Cursor() {
    if (statement_ == nullptr) return;
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

Result<bool> Cursor::step() {
    const int status = status_ == SQLITE_OK ? sqlite3_step(statement_) : status_;
    if (status == SQLITE_ROW) return true;
    if (status == SQLITE_DONE) return false;
    return database_.error();
}

Result<std::uint64_t> Cursor::drain() {
    for (std::uint64_t rows = 0;; ++rows) {
        auto row = step();
        if (!row) return row.error();
        if (!*row) return rows;
    }
}

std::int64_t Cursor::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

std::string_view Cursor::text(int column) const {
    const void* bytes = sqlite3_column_text(statement_, column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool Cursor::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Statement::~Statement() {
    sqlite3_finalize(handle_);
}

int Statement::prepare() {
    if (handle_ != nullptr) return SQLITE_OK;
    return sqlite3_prepare_v3(database_.handle_, sql_, -1, SQLITE_PREPARE_PERSISTENT, &handle_,
                              nullptr);
}

int Statement::bind(int index, std::string_view value) {
    // An empty view may have no address, which SQLite would store as NULL.
    return sqlite3_bind_text64(handle_, index, value.empty() ? "" : value.data(), value.size(),
                               SQLITE_TRANSIENT, SQLITE_UTF8);
}

int Statement::bind_integer(int index, std::int64_t value) {
    return sqlite3_bind_int64(handle_, index, value);
}

int Statement::bind_null(int index) {
    return sqlite3_bind_null(handle_, index);
}

Result<Transactions::Guard> Transactions::begin(Statement& statement) {
    auto begun = statement.run().drain();
    if (!begun) return begun.error();
    return Guard{this};
}

Result<Transactions::Guard> Transactions::begin_write() {
    return begin(begin_immediate_);
}

Result<Transactions::Guard> Transactions::begin_read() {
    return begin(begin_deferred_);
}

Transactions::Guard::~Guard() {
    if (owner_ == nullptr) return;
    // SQLite has rolled back by itself after some errors (disk full); then this one fails, rightly.
    static_cast<void>(owner_->rollback_.run().drain());
}

Result<void> Transactions::Guard::commit() {
    auto committed = owner_->commit_.run().drain();
    if (!committed) return committed.error();  // still open: rolled back by the destructor
    owner_ = nullptr;
    return {};
}

}  // namespace bgshell::store
