// GrowthPacer: how often subscribers hear that the output grows. The first time at once; while it
// keeps growing after 5 ms, then after twice as long, up to 50 ms; so sparse output is never late
// and a flood costs nobody anything.
#pragma once

#include <algorithm>
#include <optional>

#include "platform/clock.hpp"

namespace bgshell::keeper {

class GrowthPacer {
  public:
    static constexpr platform::Milliseconds kShortest{5};
    static constexpr platform::Milliseconds kLongest{50};

    // Whether the last news is too fresh for more.
    [[nodiscard]] bool holds(platform::Instant now) const noexcept {
        return until_ && now < *until_;
    }
    void told(platform::Instant now) noexcept {
        until_ = now + pause_;
        pause_ = std::min(pause_ * 2, kLongest);
    }
    // Nothing has grown since the last news.
    void quiet() noexcept {
        until_.reset();
        pause_ = kShortest;
    }
    // When to look again; none: at the next growth.
    [[nodiscard]] std::optional<platform::Instant> wake() const noexcept { return until_; }

  private:
    platform::Milliseconds pause_ = kShortest;
    std::optional<platform::Instant> until_;
};

}  // namespace bgshell::keeper
