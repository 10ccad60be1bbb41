// OutputLimit: what a log of limited size does with the next bytes. Arithmetic only; LogWriter
// acts.
//
// Mode `roll` keeps the first quarter of the limit, or the first 4 KiB if that is more, and the
// newest rest. The bytes between become a hole, 4 KiB-aligned and growing at its end only, so that
// offsets never change. It grows in steps, so that a flood does not punch for every write. Mode
// `stop` keeps the first bytes and discards what follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "keeper/job_state.hpp"

namespace bgshell::keeper {

// What to do with the first `take` bytes of a chunk.
struct LogStep {
    struct Hole {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
        friend bool operator==(const Hole&, const Hole&) = default;
    };
    std::size_t take = 0;
    // So many of them are not written. With a hole they lie in it, and the log grows by them all
    // the same; without one they are discarded.
    std::size_t skip = 0;
    // Must be published and punched before the rest is written.
    std::optional<Hole> hole;
    friend bool operator==(const LogStep&, const LogStep&) = default;
};

class OutputLimit {
  public:
    static constexpr std::uint64_t kBlock = 4096;
    // A rolling log ends its job after so many times the limit.
    static constexpr std::uint64_t kRollFactor = 64;

    OutputLimit(OutputLimitMode mode, std::uint64_t limit_bytes) noexcept;

    // For a chunk of `bytes` (at least 1), when the index file has `index_bytes`, which count
    // within the limit. The space used on disk after the step exceeds the limit by less than one
    // block; by less than two where a quarter of the limit is less than a block.
    [[nodiscard]] LogStep plan(std::size_t bytes, std::uint64_t index_bytes) const noexcept;
    // The hole of a step is punched.
    void punched(const LogStep::Hole& hole) noexcept { hole_end_ = hole.to; }
    // The log has grown by `bytes`.
    void grown(std::uint64_t bytes) noexcept { size_ += bytes; }

    // Size of the log, holes counted.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    // Whether the job must end, having produced so much in all.
    [[nodiscard]] bool reached(std::uint64_t produced) const noexcept;
    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  private:
    [[nodiscard]] LogStep plan_roll(std::size_t bytes, std::uint64_t index_bytes) const noexcept;

    OutputLimitMode mode_;
    std::uint64_t limit_;
    std::uint64_t head_;      // the hole begins here
    std::uint64_t step_;      // what the hole grows by beyond what is needed
    std::uint64_t hole_end_;  // head_: there is no hole yet
    std::uint64_t size_ = 0;
};

}  // namespace bgshell::keeper
