// Deadlines from numbers that others sent.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/clock.hpp"

namespace bgshell::keeper {

// A year at most: no clock overflows, and no job lives that long.
[[nodiscard]] constexpr platform::Milliseconds bounded_milliseconds(std::uint64_t count) {
    constexpr platform::Milliseconds longest = std::chrono::days{365};
    return platform::Milliseconds{
        static_cast<std::int64_t>(std::min(count, static_cast<std::uint64_t>(longest.count())))};
}

}  // namespace bgshell::keeper
