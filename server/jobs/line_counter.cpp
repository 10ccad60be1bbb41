#include "jobs/line_counter.hpp"

#include <algorithm>

namespace bgshell::jobs {
namespace {

constexpr std::uint64_t kBlock = std::uint64_t{64} * 1024;

}  // namespace

std::optional<std::uint64_t> LineCounter::known(store::Range range) const {
    return range == range_ ? lines_ : std::nullopt;
}

Result<std::optional<std::uint64_t>> LineCounter::count(store::LogReader& reader,
                                                        store::Range range) {
    auto output = LogOutput::open(reader);
    if (!output) return output.error();
    forget(range.from, *output);
    const auto stretches = output->stretches(range);
    std::uint64_t stored = 0;
    for (const auto& stretch : stretches) stored += stretch.size();
    std::uint64_t lines = 0;
    std::uint64_t read = 0;
    for (const auto& stretch : stretches) {
        if (stored > LogOutput::kMaxCounted) {
            lines = kTooMuch;
            break;
        }
        for (store::Range part{stretch.from, stretch.from}; part.to < stretch.to;) {
            part.from = part.to;
            part.to = std::min(stretch.to, (part.from / kBlock + 1) * kBlock);
            const auto counted = parts_.find(part.from);
            if (counted != parts_.end() && counted->second.to == part.to) {
                lines += counted->second.lines;
                continue;
            }
            if (read >= LogOutput::kCountedAtOnce) return std::optional<std::uint64_t>{};
            const auto tally = output->count(part);
            if (!tally) return tally.error();
            read += part.size();
            lines += tally->newlines;
            parts_.insert_or_assign(part.from, Part{part.to, tally->newlines});
        }
    }
    range_ = range;
    lines_ = lines;
    return lines_;
}

// What was seen, or is gone, needs no memory. A part that lost some of itself has other ends now.
void LineCounter::forget(std::uint64_t seen, const LogOutput& output) {
    parts_.erase(parts_.begin(), parts_.lower_bound(seen));
    for (const auto& hole : output.holes()) {
        parts_.erase(parts_.lower_bound(hole.from), parts_.lower_bound(hole.to));
    }
}

}  // namespace bgshell::jobs
