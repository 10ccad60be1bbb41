// TaskScope: the owner of coroutines. Everything that is started without being awaited is started
// through one, so that nothing outlives what it uses: `close` cancels what still runs and waits for
// it.
//
// Used on the loop thread only, and cancelled only from what the loop runs: Asio 1.26 defers a
// cancellation from elsewhere, and then follows it into a task that may have ended.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>

namespace bgshell::platform {

class TaskScope {
  public:
    // Called on the loop with what a task threw, except for the operation_aborted of its
    // cancellation. Must not throw.
    using ExceptionHandler = std::function<void(std::exception_ptr)>;

    TaskScope(boost::asio::any_io_executor executor, ExceptionHandler on_exception);
    // The scope must be empty: closed and joined, or never used.
    ~TaskScope();
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;

    // The name of a task in its scope; never used twice.
    using TaskId = std::uint64_t;

    // Starts `task` in a later turn of the loop. Everything it refers to must outlive the scope. A
    // scope that is closing destroys the task without running it.
    TaskId spawn(boost::asio::awaitable<void> task);

    // How many tasks have been started and have not ended.
    [[nodiscard]] std::size_t running() const noexcept { return tasks_.size(); }
    [[nodiscard]] bool closing() const noexcept { return closing_; }

    // Asks every task to end; those started later are not touched.
    void cancel();
    // Asks one task to end; nothing happens if it has.
    void cancel(TaskId task);

    // Cancels all tasks, refuses new ones and returns when the last one has ended. May be called
    // again and by several at once; never from a task of this scope, which would wait for itself. A
    // cancellation of the caller does not shorten it.
    boost::asio::awaitable<void> close();

  private:
    struct Task {
        TaskId id = 0;
        boost::asio::cancellation_signal signal;
    };
    using Tasks = std::list<Task>;
    void ended(Tasks::iterator task, std::exception_ptr failure);

    boost::asio::any_io_executor executor_;
    ExceptionHandler on_exception_;
    Tasks tasks_;
    TaskId last_id_ = 0;
    boost::asio::steady_timer empty_;  // never expires; cancelled when the last task has ended
    bool closing_ = false;
};

}  // namespace bgshell::platform
