#include "jobs/output_watcher.hpp"

#include <algorithm>
#include <utility>

#include "jobs/log_output.hpp"

namespace bgshell::jobs {
namespace {

text::LineSearch::Options options() {
    text::LineSearch::Options options;
    options.first_matches = 1;
    options.last_matches = 1;
    options.before = 2;
    options.share_context = false;
    return options;
}

// The match that ends `lines`, with the lines of its group before it.
template <class Lines>
OutputWatcher::Hit hit_of(const Lines& lines) {
    OutputWatcher::Hit hit;
    for (const text::FoundLine& line : lines) {
        if (line.context) {
            hit.before.push_back(line.text);
        } else {
            hit.match = {line.at, line.line, line.text, false};
            hit.next = line.to;
        }
    }
    return hit;
}

}  // namespace

OutputWatcher::OutputWatcher(text::Pattern pattern, std::uint64_t from)
    : literal_{pattern.taken_literally()},
      position_{from},
      search_{std::move(pattern), options()} {}

Result<bool> OutputWatcher::advance(store::LogReader& reader) {
    auto output = LogOutput::open(reader, store::Stream::both, false);
    if (!output) return output.error();
    if (position_ >= output->end()) return false;
    if (!begun_) {
        const auto line = output->line_at(position_);
        if (!line) return line.error();
        search_.begin_at_line(line->value_or(0));
    }
    begun_ = true;
    fresh_ = true;
    const std::uint64_t to = std::min(output->end(), position_ + kMaxStep);
    const auto visited = output->visit({position_, to}, [this](const store::LogPiece& piece) {
        search_.feed(piece.from, piece.bytes);
    });
    if (!visited) return visited.error();
    position_ = to;
    return to < output->end();
}

void OutputWatcher::quiet() {
    if (std::exchange(fresh_, false)) search_.take_open_line();
}

void OutputWatcher::ended() {
    search_.finish();
}

std::optional<OutputWatcher::Hit> OutputWatcher::first() const {
    if (!search_.first().empty()) return hit_of(search_.first());
    return std::nullopt;
}

std::optional<OutputWatcher::Hit> OutputWatcher::last() const {
    if (!search_.last().empty()) return hit_of(search_.last());
    return first();
}

}  // namespace bgshell::jobs
