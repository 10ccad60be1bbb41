// Clock: where time comes from. Limits, graces and ages use `now`, which does not count suspend and
// never jumps; `wall` is for display and records only. Tests turn their own clock by hand.
#pragma once

#include <chrono>

namespace bgshell::platform {

using Milliseconds = std::chrono::milliseconds;
// CLOCK_MONOTONIC.
using Instant = std::chrono::steady_clock::time_point;
// Milliseconds since 1970-01-01T00:00:00Z.
using WallTime = std::chrono::sys_time<Milliseconds>;

class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const = 0;
    [[nodiscard]] virtual WallTime wall() const = 0;
};

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wall() const override {
        return std::chrono::floor<Milliseconds>(std::chrono::system_clock::now());
    }
};

}  // namespace bgshell::platform
