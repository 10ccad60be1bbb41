// KeeperPool: keepers that wait for a job to start. One warm spare, and only after the first start:
// a front end that is only probed must cost nothing.
#pragma once

#include <utility>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::jobs {

class KeeperPool {
  public:
    // The birth socket of a keeper: the spare's if there is one, else of a new one. A spare may
    // have died meanwhile (its socket says so when it is used); `take_new` never gives the spare.
    [[nodiscard]] platform::Outcome<platform::UniqueFd> take();
    [[nodiscard]] platform::Outcome<platform::UniqueFd> take_new();
    // True if there is no spare and nobody has claimed to make one: then `refill` is the caller's.
    [[nodiscard]] bool claim_refill() noexcept { return !spare_ && !std::exchange(claimed_, true); }
    // Makes a spare if there is none; without one the next start is merely slower.
    void refill();
    // The spare leaves at once.
    void clear() noexcept { spare_.reset(); }

  private:
    platform::UniqueFd spare_;
    bool claimed_ = false;
};

}  // namespace bgshell::jobs
