// OutputLevel: how much a job has printed, and when. No I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/clock.hpp"

namespace bgshell::jobs {

class OutputLevel {
  public:
    // A later level; one that is not higher changes nothing.
    void grow(std::uint64_t produced, std::uint64_t stored, platform::Instant now);

    [[nodiscard]] std::uint64_t produced() const noexcept { return produced_; }
    // The size of the log, holes counted.
    [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }
    // nullopt: nothing yet.
    [[nodiscard]] std::optional<platform::Instant> last_output() const noexcept { return last_; }
    // When the byte at `offset` of the log was first known to be there, to the precision of the
    // levels that were seen; nullopt: not yet.
    [[nodiscard]] std::optional<platform::Instant> reached(std::uint64_t offset) const;

  private:
    struct Step {
        std::uint64_t stored = 0;
        platform::Instant at;
    };
    // A long job has any number of levels; when this many are kept, every second one is dropped.
    static constexpr std::size_t kMaxSteps = 128;
    std::uint64_t produced_ = 0;
    std::uint64_t stored_ = 0;
    std::optional<platform::Instant> last_;
    std::vector<Step> steps_;
};

}  // namespace bgshell::jobs
