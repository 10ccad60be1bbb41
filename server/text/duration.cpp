#include "text/duration.hpp"

#include <algorithm>
#include <cstdint>

namespace bgshell::text {
namespace {

std::string two_units(std::int64_t large, const char* large_unit, std::int64_t small,
                      const char* small_unit) {
    std::string out = std::to_string(large) + large_unit;
    if (small != 0) out += " " + std::to_string(small) + small_unit;
    return out;
}

}  // namespace

std::string format_duration(std::chrono::milliseconds duration) {
    const std::int64_t ms = std::max<std::int64_t>(duration.count(), 0);
    if (ms < 59'950) {
        const std::int64_t tenths = ms > 0 ? std::max<std::int64_t>((ms + 50) / 100, 1) : 0;
        std::string out = std::to_string(tenths / 10);
        if (tenths % 10 != 0) out += "." + std::to_string(tenths % 10);
        return out + " s";
    }
    const std::int64_t seconds = std::max<std::int64_t>(ms / 1000, 60);
    if (seconds < 3600) return two_units(seconds / 60, " min", seconds % 60, " s");
    return two_units(seconds / 3600, " h", seconds % 3600 / 60, " min");
}

}  // namespace bgshell::text
