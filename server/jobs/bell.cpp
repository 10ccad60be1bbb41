#include "jobs/bell.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace bgshell::jobs {

namespace asio = boost::asio;

Bell::~Bell() {
    for (auto* waiter : waiters_) std::erase(waiter->bells_, this);
}

void Bell::ring() {
    for (auto* waiter : waiters_) waiter->rung();
}

Waiter::Waiter(asio::any_io_executor executor, const platform::Clock& clock)
    : timer_{executor}, clock_{clock} {}

Waiter::~Waiter() {
    for (auto* bell : bells_) std::erase(bell->waiters_, this);
}

void Waiter::listen(Bell& bell) {
    if (std::ranges::find(bells_, &bell) != bells_.end()) return;
    bells_.push_back(&bell);
    bell.waiters_.push_back(this);
}

void Waiter::rung() {
    rung_ = true;
    timer_.cancel();
}

asio::awaitable<void> Waiter::wait_until(platform::Instant deadline) {
    if (!rung_ && clock_.now() < deadline) {
        // Time is the injected clock's; the timer only measures the distance.
        if (deadline == platform::Instant::max()) {
            timer_.expires_at(platform::Instant::max());
        } else {
            timer_.expires_after(deadline - clock_.now());
        }
        const auto [error] = co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
        if (error == asio::error::operation_aborted && !rung_) {
            throw boost::system::system_error{error};
        }
    }
    rung_ = false;
}

}  // namespace bgshell::jobs
