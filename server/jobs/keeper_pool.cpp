#include "jobs/keeper_pool.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "platform/pidfd.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kRefillDelay{10};
// A keeper greets within milliseconds; a machine that is overloaded needs longer. A spare has had
// time already.
constexpr std::chrono::milliseconds kBirthPatience{10'000};
constexpr std::chrono::milliseconds kSparePatience{1'000};

// The process that made the fork server leaves within a millisecond, but nobody has to wait.
asio::awaitable<void> reap_parent(asio::any_io_executor executor, platform::UniqueFd pidfd) {
    asio::posix::stream_descriptor parent{executor, pidfd.release()};
    const auto [error] = co_await parent.async_wait(asio::posix::stream_descriptor::wait_read,
                                                    asio::as_tuple(asio::use_awaitable));
    static_cast<void>(error);
    // As pid 1 of a container somebody else may have reaped it.
    static_cast<void>(platform::reap(parent.native_handle(), platform::Wait::not_at_all));
}

// Whether a fork server that gave this is gone, or stopped: nobody takes or answers its requests.
bool is_dead(const platform::error_code& error) {
    return error == boost::system::errc::broken_pipe ||
           error == boost::system::errc::connection_reset ||
           error == boost::system::errc::resource_unavailable_try_again ||
           error == boost::system::errc::timed_out;
}

}  // namespace

KeeperPool::KeeperPool(asio::any_io_executor executor, platform::TaskScope& tasks)
    : executor_{std::move(executor)}, tasks_{tasks} {}

platform::Outcome<KeeperPool::Link> KeeperPool::make_keeper() {
    if (forks_) {
        auto birth = forks_->fork_keeper();
        if (birth) return std::make_unique<KeeperLink>(executor_, std::move(*birth));
        if (!is_dead(birth.error())) return birth.error();
        forks_.reset();
    }
    auto started = keeper::ForkServer::start();
    if (!started) return started.error();
    tasks_.spawn(reap_parent(executor_, std::move(started->parent)));
    forks_ = std::move(started->server);
    return std::make_unique<KeeperLink>(executor_, std::move(started->birth));
}

asio::awaitable<platform::Outcome<KeeperPool::Link>> KeeperPool::take() {
    using Taken = platform::Outcome<Link>;
    if (auto spare = std::exchange(spare_, nullptr)) {
        const auto died = co_await spare->greeting(kSparePatience);
        if (!died) co_return Taken{std::move(spare)};
    }
    for (int attempt = 0;; ++attempt) {
        auto fresh = make_keeper();
        if (!fresh) co_return fresh;
        const auto failed = co_await (*fresh)->greeting(kBirthPatience);
        if (!failed) co_return fresh;
        if (attempt > 0 || !is_dead(failed)) co_return Taken{failed};
        forks_.reset();
    }
}

void KeeperPool::put_back(Link keeper) {
    if (!spare_) spare_ = std::move(keeper);
}

void KeeperPool::clear() noexcept {
    spare_.reset();
    forks_.reset();
}

void KeeperPool::refill_next() {
    if (!spare_) tasks_.spawn(refill());
}

void KeeperPool::refill_soon() {
    if (!spare_ && !std::exchange(refilling_soon_, true)) tasks_.spawn(pause_and_refill());
}

asio::awaitable<void> KeeperPool::refill() {
    if (!spare_) {
        if (auto fresh = make_keeper()) spare_ = std::move(*fresh);
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
