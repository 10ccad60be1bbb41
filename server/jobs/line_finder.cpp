#include "jobs/line_finder.hpp"

#include <algorithm>

namespace bgshell::jobs {

Result<bool> LineFinder::step(LogOutput& output) {
    if (position_ > LogOutput::kMaxCounted) line_ = 0;
    if (line_ == 0) return false;
    const store::Range next{counted_to_,
                            std::min(position_, counted_to_ + LogOutput::kCountedAtOnce)};
    const auto tally = output.count(next);
    if (!tally) return tally.error();
    counted_to_ = next.to;
    line_ = tally->bytes == next.size() ? line_ + tally->newlines : 0;
    return line_ > 0 && counted_to_ < position_;
}

}  // namespace bgshell::jobs
