#include "platform/task_scope.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cassert>
#include <utility>

namespace bgshell::platform {

namespace asio = boost::asio;

namespace {

bool is_abort(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
        return error.code() == asio::error::operation_aborted;
    } catch (...) {
        return false;
    }
}

// co_spawn runs a coroutine up to its first suspension at once when it is called on the loop. A
// task would then run in the middle of whoever spawned it.
asio::awaitable<void> in_a_later_turn(asio::awaitable<void> task) {
    co_await asio::post(asio::use_awaitable);
    co_await std::move(task);
}

}  // namespace

TaskScope::TaskScope(asio::any_io_executor executor, ExceptionHandler on_exception)
    : executor_{std::move(executor)},
      on_exception_{std::move(on_exception)},
      empty_{executor_, asio::steady_timer::time_point::max()} {}

TaskScope::~TaskScope() {
    assert(tasks_.empty());
}

TaskScope::TaskId TaskScope::spawn(asio::awaitable<void> task) {
    const TaskId id = ++last_id_;
    if (closing_) return id;
    const auto place = tasks_.emplace(tasks_.end());
    place->id = id;
    asio::co_spawn(executor_, in_a_later_turn(std::move(task)),
                   asio::bind_cancellation_slot(place->signal.slot(),
                                                [this, place](std::exception_ptr failure) {
                                                    ended(place, std::move(failure));
                                                }));
    return id;
}

void TaskScope::ended(Tasks::iterator task, std::exception_ptr failure) {
    tasks_.erase(task);
    if (failure && !is_abort(failure)) on_exception_(std::move(failure));
    if (tasks_.empty()) empty_.cancel();
}

void TaskScope::cancel() {
    // A cancelled operation completes in a later turn, so no task ends inside this loop.
    for (auto& task : tasks_) task.signal.emit(asio::cancellation_type::terminal);
}

void TaskScope::cancel(TaskId id) {
    for (auto& task : tasks_) {
        if (task.id == id) return task.signal.emit(asio::cancellation_type::terminal);
    }
}

asio::awaitable<void> TaskScope::close() {
    closing_ = true;
    cancel();
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    while (!tasks_.empty()) {
        const auto [ignored] = co_await empty_.async_wait(asio::as_tuple(asio::use_awaitable));
        static_cast<void>(ignored);  // always operation_aborted: by `ended`, or for our caller
    }
    co_await asio::this_coro::throw_if_cancelled(throws);
}

}  // namespace bgshell::platform
