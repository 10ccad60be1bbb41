#include "jobs/keeper_pool.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "keeper/spawn_keeper.hpp"
#include "platform/pidfd.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kRefillDelay{10};

// The process that made a keeper leaves within a millisecond, but nobody has to wait for that.
asio::awaitable<void> reap_parent(asio::any_io_executor executor, platform::UniqueFd pidfd) {
    asio::posix::stream_descriptor parent{executor, pidfd.release()};
    const auto [error] = co_await parent.async_wait(asio::posix::stream_descriptor::wait_read,
                                                    asio::as_tuple(asio::use_awaitable));
    static_cast<void>(error);
    // As pid 1 of a container somebody else may have reaped it.
    static_cast<void>(platform::reap(parent.native_handle(), platform::Wait::not_at_all));
}

}  // namespace

KeeperPool::KeeperPool(asio::any_io_executor executor, platform::TaskScope& tasks)
    : executor_{std::move(executor)}, tasks_{tasks} {}

platform::Outcome<platform::UniqueFd> KeeperPool::take() {
    if (spare_) return std::exchange(spare_, platform::UniqueFd{});
    return take_new();
}

platform::Outcome<platform::UniqueFd> KeeperPool::take_new() {
    auto keeper = keeper::spawn_keeper();
    if (!keeper) return keeper.error();
    tasks_.spawn(reap_parent(executor_, std::move(keeper->parent)));
    return std::move(keeper->birth);
}

void KeeperPool::refill_next() {
    if (!spare_) tasks_.spawn(refill());
}

void KeeperPool::refill_soon() {
    if (!spare_ && !std::exchange(refilling_soon_, true)) tasks_.spawn(pause_and_refill());
}

asio::awaitable<void> KeeperPool::refill() {
    if (!spare_) {
        if (auto fresh = take_new()) spare_ = std::move(*fresh);
    }
    co_return;
}

asio::awaitable<void> KeeperPool::pause_and_refill() {
    asio::steady_timer delay{executor_, kRefillDelay};
    co_await delay.async_wait(asio::use_awaitable);
    refilling_soon_ = false;
    co_await refill();
}

}  // namespace bgshell::jobs
