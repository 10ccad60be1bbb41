// LineCounter: how many lines end in a range of a log that grows, asked again and again. A log's
// bytes never change, so each block of them is counted once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "jobs/error.hpp"
#include "jobs/log_output.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

class LineCounter {
  public:
    // The answer to the same range as the last time: it held when the range was, whatever has been
    // rolled off since.
    [[nodiscard]] std::optional<std::uint64_t> known(store::Range range) const;

    // The newlines of what is stored of `range`; 0 where that is more than LogOutput::kMaxCounted.
    // Nullopt: not yet, call again; a call reads 4 MiB at most. Blocking, unless the reader has no
    // patience; what was counted before an error is kept.
    [[nodiscard]] Result<std::optional<std::uint64_t>> count(store::LogReader& reader,
                                                             store::Range range);

  private:
    void forget_holes(const LogOutput& output);

    std::map<std::uint64_t, std::uint64_t> blocks_;  // newlines of whole ones, by number
    store::Range range_;
    std::optional<std::uint64_t> lines_;
};

}  // namespace bgshell::jobs
