// Bell and Waiter: how a coroutine waits for any of several things to change, or for a time.
//
// A Waiter listens to any number of bells. A ring that comes while nobody waits is not lost: the
// next `wait_until` returns at once. Loop thread only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <vector>

#include "platform/clock.hpp"

namespace bgshell::jobs {

class Waiter;

class Bell {
  public:
    Bell() = default;
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;
    ~Bell();
    // Wakes every waiter that listens.
    void ring();

  private:
    friend class Waiter;
    std::vector<Waiter*> waiters_;
};

class Waiter {
  public:
    Waiter(boost::asio::any_io_executor executor, const platform::Clock& clock);
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    void listen(Bell& bell);
    // Returns at a ring since the last return, or at `deadline` (platform::Instant::max(): never).
    // Throws operation_aborted when the coroutine is cancelled.
    boost::asio::awaitable<void> wait_until(platform::Instant deadline);

  private:
    friend class Bell;
    void rung();
    boost::asio::steady_timer timer_;
    const platform::Clock& clock_;
    std::vector<Bell*> bells_;
    bool rung_ = false;
};

}  // namespace bgshell::jobs
