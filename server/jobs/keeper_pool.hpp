// KeeperPool: keepers that wait for a job to start. The fork server and one warm spare, and only
// after the first start was asked for: a front end that is only probed must cost nothing. Loop
// thread only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>

#include "jobs/keeper_link.hpp"
#include "keeper/fork_server.hpp"
#include "platform/outcome.hpp"
#include "platform/task_scope.hpp"

namespace bgshell::jobs {

class KeeperPool {
  public:
    // `tasks` is used from the first keeper on, and is closed after the last.
    KeeperPool(boost::asio::any_io_executor executor, platform::TaskScope& tasks);

    using Link = std::unique_ptr<KeeperLink>;
    // A keeper that lives: the spare, or a new one.
    boost::asio::awaitable<platform::Outcome<Link>> take();
    // One that was not needed becomes the spare.
    void put_back(Link keeper);
    // Makes a spare if there is none, after what is ready to run now; without one the next start is
    // merely slower.
    void refill_next();
    // The same in a moment. A keeper that comes up takes a processor, which the answer of a short
    // job must not wait for.
    void refill_soon();
    // The spare and the fork server leave at once.
    void clear() noexcept;

  private:
    [[nodiscard]] platform::Outcome<Link> make_keeper();
    boost::asio::awaitable<void> refill();
    boost::asio::awaitable<void> pause_and_refill();

    boost::asio::any_io_executor executor_;
    platform::TaskScope& tasks_;
    std::optional<keeper::ForkServer> forks_;
    Link spare_;  // which may have died meanwhile
    bool refilling_soon_ = false;
};

}  // namespace bgshell::jobs
