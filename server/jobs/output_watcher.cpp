#include "jobs/output_watcher.hpp"

#include <algorithm>
#include <utility>

#include "jobs/log_output.hpp"

namespace bgshell::jobs {
namespace {

text::LineSearch::Options options() {
    text::LineSearch::Options options;
    options.first_matches = 1;
    options.last_matches = 0;
    options.before = 2;
    options.share_context = false;
    return options;
}

// The match that ends `lines`, with the lines of its group before it.
OutputWatcher::Hit hit_of(const std::vector<text::FoundLine>& lines) {
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
      finder_{from},
      search_{std::move(pattern), options()} {}

Result<bool> OutputWatcher::advance(store::LogReader& reader) {
    auto output = LogOutput::open(reader);
    if (!output) return output.error();
    if (position_ >= output->end()) return false;
    if (!begun_) {
        const auto more = finder_.step(*output);
        if (!more) return more.error();
        if (*more) return true;
        search_.begin_at_line(finder_.line());
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

}  // namespace bgshell::jobs
