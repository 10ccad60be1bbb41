// Database, Statement, Cursor, Transaction: the RAII wrapper over SQLite, and the only file pair
// that sees sqlite3.h. One connection, used by one thread at a time.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "store/error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace bgshell::store {

class Database {
  public:
    // Opens or makes the file (0600). A lock of another process is waited for up to `busy_timeout`.
    // Nothing is written to an existing file yet.
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(
        const std::string& path, std::chrono::milliseconds busy_timeout);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // Runs statements that give no rows. `sql` is a literal, never made of input.
    [[nodiscard]] Result<void> execute(const char* sql);
    // The first integer of a query's first row, 0 without one; for pragmas.
    [[nodiscard]] Result<std::int64_t> query_integer(const char* sql);
    // The pragmas of a connection but for `synchronous`, with WAL, or with a rollback journal on a
    // `network` file system. Writes to the file the first time.
    [[nodiscard]] Result<void> configure(bool network);
    // The pragmas of a connection that never writes, to a file that `configure` has seen.
    [[nodiscard]] Result<void> configure_reader();

    // With WAL, after `configure`: moves the log into the file if it has grown long, as SQLite
    // would in the transaction that made it so. A failure is left to the next time.
    void checkpoint_if_due() noexcept;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    // How a writing transaction ended. While others keep the file locked none waits: whoever was
    // first has waited in vain.
    void note_write(std::optional<Error> failure) noexcept;
    // What the last one failed of, if that may pass (Error::may_pass).
    [[nodiscard]] const std::optional<Error>& hindrance() const noexcept { return hindrance_; }
    // What SQLite says about the last call that failed, as a sentence with the next step.
    [[nodiscard]] Error error() const;
    [[nodiscard]] Error damaged(std::string_view what) const;

  private:
    friend class Statement;
    Database(sqlite3* handle, std::string path, std::chrono::milliseconds busy_timeout)
        : handle_{handle}, path_{std::move(path)}, busy_timeout_{busy_timeout} {}
    sqlite3* handle_;
    std::string path_;
    std::chrono::milliseconds busy_timeout_;
    std::optional<Error> hindrance_;
    int wal_pages_ = 0;  // after the last transaction of ours
};

// A row of the running statement; columns are counted from 0.
class Cursor {
  public:
    Cursor(Cursor&& other) noexcept
        : database_{other.database_},
          statement_{std::exchange(other.statement_, nullptr)},
          status_{other.status_} {}
    Cursor& operator=(Cursor&&) = delete;
    // Ends the run: the statement is ready for the next one.
    ~Cursor();

    // True: a row is there. False: the statement is done.
    [[nodiscard]] Result<bool> step();
    // Steps to the end; how many rows there were.
    [[nodiscard]] Result<std::uint64_t> drain();

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::string_view text(int column) const;  // valid until the next step
    [[nodiscard]] bool is_null(int column) const;

  private:
    friend class Statement;
    Cursor(const Database& database, sqlite3_stmt* statement, int status)
        : database_{database}, statement_{statement}, status_{status} {}
    const Database& database_;
    sqlite3_stmt* statement_;
    int status_;  // of preparing and binding; told by the first step
};

// A prepared statement: compiled at its first run, then kept.
class Statement {
  public:
    // `sql` is a literal.
    Statement(Database& database, const char* sql) : database_{database}, sql_{sql} {}
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // Binds the arguments to ?1, ?2, … The values are copied. One cursor at a time.
    template <class... Values>
    [[nodiscard]] Cursor run(const Values&... values) {
        int status = prepare();
        int index = 0;
        ((status = status == 0 ? bind(++index, values) : status), ...);
        return Cursor{database_, handle_, status};
    }

  private:
    [[nodiscard]] int prepare();
    [[nodiscard]] int bind(int index, std::string_view value);
    [[nodiscard]] int bind_integer(int index, std::int64_t value);
    [[nodiscard]] int bind_null(int index);
    [[nodiscard]] int bind(int index, bool value) { return bind_integer(index, value ? 1 : 0); }
    template <std::integral Value>
    [[nodiscard]] int bind(int index, Value value) {
        // Nothing we count reaches 2^63; an unsigned that did would be stored as the largest
        // number.
        return bind_integer(index, std::in_range<std::int64_t>(value)
                                       ? static_cast<std::int64_t>(value)
                                       : INT64_MAX);
    }
    template <class Value>
    [[nodiscard]] int bind(int index, const std::optional<Value>& value) {
        return value ? bind(index, *value) : bind_null(index);
    }

    Database& database_;
    const char* sql_;
    sqlite3_stmt* handle_ = nullptr;
};

// BEGIN, COMMIT and ROLLBACK of one connection.
class Transactions {
  public:
    explicit Transactions(Database& database) : database_{database} {}

    // Rolls back unless committed.
    class Guard {
      public:
        Guard(Guard&& other) noexcept : owner_{std::exchange(other.owner_, nullptr)} {}
        Guard& operator=(Guard&&) = delete;
        ~Guard();
        [[nodiscard]] Result<void> commit();

      private:
        friend class Transactions;
        explicit Guard(Transactions* owner) : owner_{owner} {}
        Transactions* owner_;
    };

    // BEGIN IMMEDIATE: a deferred transaction that writes later fails at once, despite the busy
    // timeout, when somebody else wrote meanwhile.
    [[nodiscard]] Result<Guard> begin_write();
    // One snapshot for several reads.
    [[nodiscard]] Result<Guard> begin_read();

  private:
    [[nodiscard]] Result<Guard> begin(Statement& statement);
    Database& database_;
    Statement begin_immediate_{database_, "BEGIN IMMEDIATE"};
    Statement begin_deferred_{database_, "BEGIN"};
    Statement commit_{database_, "COMMIT"};
    Statement rollback_{database_, "ROLLBACK"};
};

}  // namespace bgshell::store
