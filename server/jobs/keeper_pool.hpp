// KeeperPool: keepers that wait for a job to start. One warm spare, and only after the first start
// was asked for: a front end that is only probed must cost nothing. Loop thread only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "platform/outcome.hpp"
#include "platform/task_scope.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::jobs {

class KeeperPool {
  public:
    // `tasks` is used from the first keeper on, and is closed after the last.
    KeeperPool(boost::asio::any_io_executor executor, platform::TaskScope& tasks);

    // The birth socket of a keeper: the spare's if there is one, else of a new one. A spare may
    // have died meanwhile (its socket says so when it is used); `take_new` never gives the spare.
    [[nodiscard]] platform::Outcome<platform::UniqueFd> take();
    [[nodiscard]] platform::Outcome<platform::UniqueFd> take_new();
    // Makes a spare if there is none, after what is ready to run now; without one the next start is
    // merely slower.
    void refill_next();
    // The same in a moment. Making a process takes the loop a millisecond, which the answer of a
    // short job must not wait for.
    void refill_soon();
    // The spare leaves at once.
    void clear() noexcept { spare_.reset(); }

  private:
    boost::asio::awaitable<void> refill();
    boost::asio::awaitable<void> pause_and_refill();

    boost::asio::any_io_executor executor_;
    platform::TaskScope& tasks_;
    platform::UniqueFd spare_;
    bool refilling_soon_ = false;
};

}  // namespace bgshell::jobs
