#include "text/newlines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "text/lanes.hpp"

namespace bgshell::text {

// Neither std::count (one byte at a time under -O2) nor memchr (a call for each line) is fast on
// short lines.
std::uint64_t count_newlines(std::string_view bytes) noexcept {
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t count = 0;
    while (left >= sizeof(Lanes)) {
        Lanes counters{};
        const std::size_t rounds = std::min<std::size_t>(left / sizeof(Lanes), 255);
        for (std::size_t round = 0; round < rounds; ++round, at += sizeof(Lanes)) {
            counters -=
                static_cast<Lanes>(load_lanes(at) == '\n');  // a hit is all ones, that is -1
        }
        for (std::size_t lane = 0; lane < sizeof(Lanes); ++lane) count += counters[lane];
        left -= rounds * sizeof(Lanes);
    }
    return count + static_cast<std::uint64_t>(std::count(at, at + left, '\n'));
}

std::size_t line_start(std::string_view bytes, std::size_t end) noexcept {
    if (end < 2) return 0;
    // string_view::rfind looks at one byte at a time.
    const void* newline = ::memrchr(bytes.data(), '\n', end - 1);
    if (newline == nullptr) return 0;
    return static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data()) + 1;
}

}  // namespace bgshell::text
