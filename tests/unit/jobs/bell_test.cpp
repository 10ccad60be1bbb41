#include "jobs/bell.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>

#include "platform/task_scope.hpp"

using bgshell::jobs::Bell;
using bgshell::jobs::Waiter;
using bgshell::platform::Clock;
using bgshell::platform::Instant;
using bgshell::platform::TaskScope;
using bgshell::platform::WallTime;

namespace {

class StoppedClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return Instant{std::chrono::seconds{1000}}; }
    [[nodiscard]] WallTime wall() const override { return {}; }
};

struct Fixture {
    boost::asio::io_context loop;
    StoppedClock clock;
    Bell bell;
    Bell other;
    int woken = 0;
    TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) { FAIL("a task threw"); }};

    boost::asio::awaitable<void> wait(int times, Instant deadline) {
        Waiter waiter{loop.get_executor(), clock};
        waiter.listen(bell);
        waiter.listen(other);
        waiter.listen(bell);
        for (int i = 0; i < times; ++i) {
            co_await waiter.wait_until(deadline);
            ++woken;
        }
    }
    void turn() {
        loop.restart();
        loop.poll();
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "any bell wakes, once for each return") {
    scope.spawn(wait(2, Instant::max()));
    turn();
    CHECK(woken == 0);
    bell.ring();
    bell.ring();
    turn();
    CHECK(woken == 1);
    other.ring();
    turn();
    CHECK(woken == 2);
    CHECK(scope.running() == 0);
    bell.ring();  // nobody listens any more
}

TEST_CASE_FIXTURE(Fixture, "every waiter is woken") {
    scope.spawn(wait(1, Instant::max()));
    scope.spawn(wait(1, Instant::max()));
    turn();
    bell.ring();
    turn();
    CHECK(woken == 2);
}

TEST_CASE_FIXTURE(Fixture, "a deadline that has passed returns at once") {
    scope.spawn(wait(3, clock.now()));
    turn();
    CHECK(woken == 3);
}

TEST_CASE_FIXTURE(Fixture, "a cancelled wait ends without waking") {
    scope.spawn(wait(1, Instant::max()));
    turn();
    scope.cancel();
    turn();
    CHECK(woken == 0);
    CHECK(scope.running() == 0);
}

TEST_CASE_FIXTURE(Fixture, "a bell may go before its waiters") {
    {
        Bell gone;
        Waiter waiter{loop.get_executor(), clock};
        waiter.listen(gone);
    }
    auto bells = std::make_unique<Bell>();
    Waiter waiter{loop.get_executor(), clock};
    waiter.listen(*bells);
    bells.reset();
    bell.ring();
}
