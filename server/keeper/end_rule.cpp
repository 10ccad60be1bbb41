#include "keeper/end_rule.hpp"

#include <algorithm>

namespace bgshell::keeper {

EndRule::EndRule(platform::Instant now, std::uint64_t queued) noexcept
    : queued_{queued}, latest_{now + kLongest}, silent_since_{now} {}

void EndRule::on_bytes(std::uint64_t count, platform::Instant now) noexcept {
    queued_ -= std::min(queued_, count);
    silent_since_ = now;
}

bool EndRule::complete(platform::Instant now) const noexcept {
    if (all_closed_) return true;
    const auto at = wake();
    return at && now >= *at;
}

std::optional<platform::Instant> EndRule::wake() const noexcept {
    if (queued_ > 0) return std::nullopt;
    return std::min(latest_, silent_since_ + kSilence);
}

}  // namespace bgshell::keeper
