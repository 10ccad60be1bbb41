// Durations as every text of ours writes them.
#pragma once

#include <chrono>
#include <string>

namespace bgshell::text {

// "0.2 s", "41.3 s", "5 min 52 s", "2 h 4 min": tenths below a minute, then the two largest units,
// whole ones; a part that is 0 is left out ("45 s", "30 min", "24 h"). Something is never "0 s":
// its least form is "0.1 s". A negative duration is written as 0.
[[nodiscard]] std::string format_duration(std::chrono::milliseconds duration);

}  // namespace bgshell::text
