#include "keeper/output_limit.hpp"

#include <algorithm>

namespace bgshell::keeper {
namespace {

constexpr std::uint64_t align_down(std::uint64_t offset) {
    return offset - offset % OutputLimit::kBlock;
}

constexpr std::uint64_t minus(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : 0;
}

}  // namespace

OutputLimit::OutputLimit(OutputLimitMode mode, std::uint64_t limit_bytes) noexcept
    : mode_{mode},
      limit_{limit_bytes},
      head_{std::max(kBlock, align_down(limit_bytes / 4))},
      step_{align_down(minus(limit_bytes, head_) / 8)},
      hole_end_{head_} {}

LogStep OutputLimit::plan(std::size_t bytes, std::uint64_t index_bytes) const noexcept {
    if (mode_ == OutputLimitMode::roll) return plan_roll(bytes, index_bytes);
    const std::uint64_t room = minus(limit_, size_ + index_bytes);
    if (room == 0) return {.take = bytes, .skip = bytes, .hole = {}};
    return {.take = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, room)),
            .skip = 0,
            .hole = {}};
}

LogStep OutputLimit::plan_roll(std::size_t bytes, std::uint64_t index_bytes) const noexcept {
    const std::uint64_t kept = size_ - (hole_end_ - head_);
    if (kept + bytes + index_bytes <= limit_) return {.take = bytes, .skip = 0, .hole = {}};
    if (size_ < head_) {
        const std::uint64_t rest_of_head = std::min<std::uint64_t>(bytes, head_ - size_);
        return {.take = static_cast<std::size_t>(rest_of_head), .skip = 0, .hole = {}};
    }
    // Of a head that is more than its quarter, the rest is not taken from the newest.
    const std::uint64_t share = std::min(head_, limit_ / 4);
    const std::uint64_t tail = minus(limit_, share + step_ + index_bytes);
    const std::uint64_t end = align_down(minus(size_ + bytes, tail));
    if (end <= hole_end_) return {.take = bytes, .skip = 0, .hole = {}};
    return {.take = bytes,
            .skip = static_cast<std::size_t>(minus(end, size_)),
            .hole = LogStep::Hole{hole_end_, end}};
}

bool OutputLimit::reached(std::uint64_t produced) const noexcept {
    if (mode_ == OutputLimitMode::stop) return produced > size_;
    return produced / kRollFactor >= limit_;
}

}  // namespace bgshell::keeper
