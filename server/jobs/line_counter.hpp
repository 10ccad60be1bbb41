// LineCounter: how many lines end in a range of a log that grows, asked again and again. A log's
// bytes never change, so each part of them is counted once.
#pragma once

#include <cstdint>
#include <limits>
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

    // Instead of a count: more is stored there than LogOutput::kMaxCounted.
    static constexpr auto kTooMuch = std::numeric_limits<std::uint64_t>::max();

    // The newlines of what is stored of `range`, or kTooMuch. Nullopt: not yet, call again; a call
    // reads 4 MiB and a block at most. Blocking; what was counted before an error is kept.
    [[nodiscard]] Result<std::optional<std::uint64_t>> count(store::LogReader& reader,
                                                             store::Range range);

  private:
    // A block of the log, or what a hole or the range left of it.
    struct Part {
        std::uint64_t to = 0;
        std::uint64_t lines = 0;
    };
    void forget(std::uint64_t seen, const LogOutput& output);

    std::map<std::uint64_t, Part> parts_;  // by where they begin
    store::Range range_;
    std::optional<std::uint64_t> lines_;
};

}  // namespace bgshell::jobs
