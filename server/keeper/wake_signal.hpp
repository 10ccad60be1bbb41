// WakeSignal: how one thread of the keeper wakes the other out of a poll (an eventfd).
#pragma once

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class WakeSignal {
  public:
    [[nodiscard]] static platform::Outcome<WakeSignal> create();

    // Readable while a signal was given and not yet cleared.
    [[nodiscard]] int fd() const noexcept { return event_.get(); }
    void give() const noexcept;
    void clear() const noexcept;

  private:
    explicit WakeSignal(platform::UniqueFd event) : event_{std::move(event)} {}
    platform::UniqueFd event_;
};

}  // namespace bgshell::keeper
