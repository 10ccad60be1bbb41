// Deadlines: from numbers that others sent, the earliest of several, and as a poll takes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>

#include "platform/clock.hpp"

namespace bgshell::keeper {

// A year at most: no clock overflows, and no job lives that long.
[[nodiscard]] constexpr platform::Milliseconds bounded_milliseconds(std::uint64_t count) {
    constexpr platform::Milliseconds longest = std::chrono::days{365};
    return platform::Milliseconds{
        static_cast<std::int64_t>(std::min(count, static_cast<std::uint64_t>(longest.count())))};
}

// `earliest` becomes the earlier of the two; none is never.
constexpr void keep_earlier(std::optional<platform::Instant>& earliest,
                            std::optional<platform::Instant> other) {
    if (other && (!earliest || *other < *earliest)) earliest = other;
}

// What is left until then, as ppoll takes it; never negative.
[[nodiscard]] constexpr timespec time_left(platform::Instant until, platform::Instant now) {
    const auto left = std::max(until - now, platform::Instant::duration::zero());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    return {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
}

}  // namespace bgshell::keeper
