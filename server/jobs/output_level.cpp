#include "jobs/output_level.hpp"

#include <algorithm>

namespace bgshell::jobs {

void OutputLevel::grow(std::uint64_t produced, std::uint64_t stored, platform::Instant now) {
    if (produced > produced_ || stored > stored_) last_ = now;
    produced_ = std::max(produced_, produced);
    if (stored <= stored_) return;
    stored_ = stored;
    if (steps_.size() == kMaxSteps) {
        std::size_t kept = 0;
        for (std::size_t i = 1; i < steps_.size(); i += 2) steps_[kept++] = steps_[i];
        steps_.resize(kept);
    }
    steps_.push_back({stored, now});
}

std::optional<platform::Instant> OutputLevel::reached(std::uint64_t offset) const {
    const auto step = std::ranges::upper_bound(steps_, offset, {}, &Step::stored);
    if (step == steps_.end()) return std::nullopt;
    return step->at;
}

}  // namespace bgshell::jobs
