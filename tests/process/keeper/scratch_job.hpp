// ScratchJob: a job of a real keeper in a fresh directory, driven over its sockets by a synchronous
// front end. Every wait has a deadline; whatever a test leaves behind is killed at the end of the
// test.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keeper/index_file.hpp"
#include "keeper/messages.hpp"
#include "keeper/records.hpp"
#include "keeper/start_order.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper::testing {

inline constexpr std::chrono::seconds kDeadline{20};

// A connection to a keeper. What it received stays until it is asked for.
class Connection {
  public:
    explicit Connection(platform::UniqueFd socket) : socket_{std::move(socket)} {}

    void send(const ToKeeper& message, std::span<const int> descriptors = {});
    // The first message of this kind that has not been taken yet, waiting for it.
    template <class Message>
    Message take(std::chrono::milliseconds wait = kDeadline);
    // The same, without waiting for more than what has arrived.
    template <class Message>
    std::optional<Message> poll();
    // Waits until the keeper closes the connection.
    void await_close();
    void close() { socket_.reset(); }

  private:
    // False: nothing more came in time, or the connection is closed.
    bool receive_until(std::chrono::steady_clock::time_point deadline);
    platform::UniqueFd socket_;
    std::vector<FromKeeper> received_;
    bool closed_ = false;
};

class ScratchJob {
  public:
    // The order may be changed before start(). `parent` is where its directory is made; none: the
    // system's place for temporary files.
    explicit ScratchJob(std::string_view script, std::string_view parent = {});
    ScratchJob(const ScratchJob&) = delete;
    ScratchJob& operator=(const ScratchJob&) = delete;
    ~ScratchJob();

    StartOrder order;

    // Starts it and subscribes; requires `started`.
    void start();
    // The same without waiting for an answer.
    void send_start();
    Connection& birth() { return *birth_; }
    // One more connection, greeted.
    Connection connect() const;
    // Runs the job to its end and returns the record, which must be the one on the disk.
    ExitRecord run();
    ExitRecord await_end();
    // Waits until the keeper has left, and returns its last record, which it must have written.
    AfterRecord await_after();
    Stopped cancel(int signal, std::chrono::milliseconds grace);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string read(std::string_view name) const;
    [[nodiscard]] bool exists(std::string_view name) const;
    [[nodiscard]] std::string log() const { return read("log"); }
    [[nodiscard]] std::vector<IndexEntry> index() const { return decode_index(read("index")); }
    [[nodiscard]] std::uint64_t blocks_of(std::string_view name) const;  // bytes on the disk
    // Waits until a file in the directory has this content.
    void await_content(std::string_view name, std::string_view content) const;
    // Processes that carry this job's marker in their environment.
    [[nodiscard]] std::vector<pid_t> marked() const;
    [[nodiscard]] pid_t keeper_pid() const { return keeper_pid_; }
    // Whether somebody holds the lock.
    [[nodiscard]] bool locked() const;
    void await_unlocked() const;

  private:
    [[nodiscard]] std::string marker() const;
    std::string path_;
    platform::UniqueFd directory_;
    std::optional<Connection> birth_;
    pid_t keeper_pid_ = 0;
};

// A keeper that has no job yet.
Connection spawn_idle_keeper();

// Waits until `condition` holds.
template <class Condition>
void await(Condition condition, const char* what, std::chrono::milliseconds wait = kDeadline);

}  // namespace bgshell::keeper::testing

#include "process/keeper/scratch_job_impl.hpp"
