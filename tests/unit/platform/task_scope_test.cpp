#include "platform/task_scope.hpp"

#include <doctest/doctest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
using bgshell::platform::TaskScope;

namespace {

struct Fixture {
    asio::io_context loop;
    std::vector<std::string> failures;
    std::vector<std::string> events;
    TaskScope scope{loop.get_executor(), [this](std::exception_ptr failure) {
                        try {
                            std::rethrow_exception(failure);
                        } catch (const std::exception& error) {
                            failures.emplace_back(error.what());
                        }
                    }};

    // Waits for ever.
    asio::awaitable<void> waits(std::string name) {
        asio::steady_timer never{loop, asio::steady_timer::time_point::max()};
        events.push_back(name + " waits");
        const auto [error] = co_await never.async_wait(asio::as_tuple(asio::use_awaitable));
        events.push_back(name + (error == asio::error::operation_aborted ? " cancelled" : " woke"));
    }
    // Ends by the exception of its cancelled wait.
    asio::awaitable<void> waits_throwing() {
        asio::steady_timer never{loop, asio::steady_timer::time_point::max()};
        co_await never.async_wait(asio::use_awaitable);
    }
    // Needs two more turns after its cancellation.
    asio::awaitable<void> cleans_up() {
        asio::steady_timer never{loop, asio::steady_timer::time_point::max()};
        co_await asio::this_coro::throw_if_cancelled(false);
        const auto [error] = co_await never.async_wait(asio::as_tuple(asio::use_awaitable));
        static_cast<void>(error);
        co_await asio::post(asio::use_awaitable);
        co_await asio::post(asio::use_awaitable);
        events.emplace_back("cleaned up");
    }
    asio::awaitable<void> fails() {
        co_await asio::post(asio::use_awaitable);
        throw std::runtime_error{"it broke"};
    }
    asio::awaitable<void> closes(std::string name) {
        co_await scope.close();
        events.push_back(name + " closed");
    }
    // A coroutine of the test itself; its end is recorded by `events`.
    void run_closing(std::string name) {
        asio::co_spawn(loop, closes(std::move(name)), [](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
        });
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a task runs in a later turn and leaves the scope when it ends") {
    scope.spawn(fails());
    CHECK(scope.running() == 1);
    CHECK(events.empty());
    loop.run();
    CHECK(scope.running() == 0);
    CHECK(failures == std::vector<std::string>{"it broke"});
}

TEST_CASE_FIXTURE(Fixture, "close cancels and joins, and an abort is no failure") {
    scope.spawn(waits("a"));
    scope.spawn(waits_throwing());
    scope.spawn(cleans_up());
    loop.poll();
    CHECK(scope.running() == 3);
    run_closing("test");
    loop.restart();
    loop.run();
    CHECK(scope.running() == 0);
    CHECK(failures.empty());
    CHECK(events ==
          std::vector<std::string>{"a waits", "a cancelled", "cleaned up", "test closed"});
}

TEST_CASE_FIXTURE(Fixture, "a task that is closed before its first turn never runs") {
    scope.spawn(waits("a"));
    run_closing("test");
    loop.run();
    CHECK(events == std::vector<std::string>{"test closed"});
}

TEST_CASE_FIXTURE(Fixture, "a closing scope refuses tasks and may be closed twice") {
    scope.spawn(cleans_up());
    loop.poll();
    run_closing("first");
    run_closing("second");
    loop.restart();
    loop.run();
    scope.spawn(waits("late"));
    CHECK(scope.running() == 0);
    loop.restart();
    loop.run();
    REQUIRE(events.size() == 3);
    CHECK(events[0] == "cleaned up");
}

TEST_CASE_FIXTURE(Fixture, "a cancelled closer still waits for the last task") {
    TaskScope outer{loop.get_executor(), [](std::exception_ptr) {}};
    scope.spawn(cleans_up());
    loop.poll();
    outer.spawn(closes("inner"));
    loop.restart();
    loop.poll_one();
    outer.cancel();
    loop.restart();
    loop.run();
    CHECK(outer.running() == 0);
    CHECK(scope.running() == 0);
}

TEST_CASE_FIXTURE(Fixture, "cancel leaves the scope open") {
    scope.spawn(waits("a"));
    loop.poll();
    scope.cancel();
    loop.restart();
    loop.run();
    CHECK(scope.running() == 0);
    scope.spawn(fails());
    loop.restart();
    loop.run();
    CHECK(failures.size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "one task can be cancelled by its name, and the others go on") {
    scope.spawn(waits("a"));
    const auto named = scope.spawn(waits("b"));
    loop.poll();
    scope.cancel(named);
    loop.restart();
    loop.poll();
    CHECK(scope.running() == 1);
    CHECK(events == std::vector<std::string>{"a waits", "b waits", "b cancelled"});
    scope.cancel(named);  // it has ended: nothing happens
    run_closing("test");
    loop.restart();
    loop.run();
    CHECK(scope.running() == 0);
}
