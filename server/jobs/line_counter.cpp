#include "jobs/line_counter.hpp"

#include <algorithm>

namespace bgshell::jobs {
namespace {

constexpr std::uint64_t kBlock = std::uint64_t{64} * 1024;
constexpr std::uint64_t kAtOnce = 4ULL << 20;

}  // namespace

std::optional<std::uint64_t> LineCounter::known(store::Range range) const {
    return range == range_ ? lines_ : std::nullopt;
}

Result<std::optional<std::uint64_t>> LineCounter::count(store::LogReader& reader,
                                                        store::Range range) {
    auto output = LogOutput::open(reader, store::Stream::both, false);
    if (!output) return output.error();
    forget_holes(*output);
    const auto stretches = output->stretches(range);
    std::uint64_t stored = 0;
    for (const auto& stretch : stretches) stored += stretch.size();
    std::uint64_t lines = 0;
    std::uint64_t read = 0;
    for (const auto& stretch : stretches) {
        if (stored > LogOutput::kMaxCounted) break;
        for (store::Range part{stretch.from, stretch.from}; part.to < stretch.to;) {
            part.from = part.to;
            const std::uint64_t block = part.from / kBlock;
            part.to = std::min(stretch.to, (block + 1) * kBlock);
            const auto counted = blocks_.find(block);
            if (part.size() == kBlock && counted != blocks_.end()) {
                lines += counted->second;
                continue;
            }
            if (read >= kAtOnce) return std::optional<std::uint64_t>{};
            const auto tally = output->count(part);
            if (!tally) return tally.error();
            read += part.size();
            lines += tally->newlines;
            if (part.size() == kBlock) blocks_.emplace(block, tally->newlines);
        }
    }
    range_ = range;
    lines_ = lines;
    return lines_;
}

// Blocks that are gone need no memory, and one that lost a part has fewer lines.
void LineCounter::forget_holes(const LogOutput& output) {
    for (const auto& hole : output.holes()) {
        blocks_.erase(blocks_.lower_bound(hole.from / kBlock),
                      blocks_.lower_bound((hole.to + kBlock - 1) / kBlock));
    }
}

}  // namespace bgshell::jobs
