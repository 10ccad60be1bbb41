// LineFinder: the number of the line at a position of a log, counted a little at a time, so that
// others can read meanwhile.
#pragma once

#include <cstdint>

#include "jobs/error.hpp"
#include "jobs/log_output.hpp"

namespace bgshell::jobs {

class LineFinder {
  public:
    explicit LineFinder(std::uint64_t position) : position_{position} {}

    // Counts on, up to 4 MiB. True: there is more to count. `output` shows both streams. Blocking.
    [[nodiscard]] Result<bool> step(LogOutput& output);
    // Once all is counted. 0: a hole lies before the position, or more than LogOutput::kMaxCounted.
    [[nodiscard]] std::uint64_t line() const noexcept { return line_; }

  private:
    std::uint64_t position_;
    std::uint64_t counted_to_ = 0;
    std::uint64_t line_ = 1;
};

}  // namespace bgshell::jobs
