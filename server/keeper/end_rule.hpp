// EndRule: when the output of a job whose shell has exited counts as complete.
//
// What was queued in its pipes at the exit is read first, without any timer. Then the end of the
// file on all pipes is the end. If somebody still holds a pipe, the end is 100 ms of silence, but
// no later than 1 s after the exit. What is printed later is still captured, as output of
// leftovers.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/clock.hpp"

namespace bgshell::keeper {

class EndRule {
  public:
    static constexpr platform::Milliseconds kSilence{100};
    static constexpr platform::Milliseconds kLongest{1000};

    // The shell has exited `now`, and so many bytes are queued.
    EndRule(platform::Instant now, std::uint64_t queued) noexcept;
    void on_bytes(std::uint64_t count, platform::Instant now) noexcept;
    void on_all_closed() noexcept { all_closed_ = true; }

    [[nodiscard]] bool complete(platform::Instant now) const noexcept;
    // When it may become complete although nothing more happens; none: something must be read
    // first.
    [[nodiscard]] std::optional<platform::Instant> wake() const noexcept;

  private:
    std::uint64_t queued_;
    platform::Instant latest_;
    platform::Instant silent_since_;
    bool all_closed_ = false;
};

}  // namespace bgshell::keeper
