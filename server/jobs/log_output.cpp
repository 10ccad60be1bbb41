#include "jobs/log_output.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/head_tail_cut.hpp"
#include "text/newlines.hpp"

namespace bgshell::jobs {
namespace {

using store::LogPiece;
using store::Range;

// Longer control sequences than this are cut like text.
constexpr std::uint64_t kLookAround = 4096;
constexpr std::uint64_t kLeastRead = std::uint64_t{16} * 1024;
constexpr std::uint64_t kReadBytes = 1 << 20;

constexpr std::uint64_t kKeptBytes = std::uint64_t{128} * 1024;

std::vector<LogPiece> pieces_within(Range range, const std::vector<LogPiece>& pieces) {
    std::vector<LogPiece> within;
    for (const LogPiece& piece : pieces) {
        const std::uint64_t from = std::max(range.from, piece.from);
        const std::uint64_t to = std::min(range.to, piece.from + piece.bytes.size());
        if (from < to) within.push_back({from, piece.bytes.substr(from - piece.from, to - from)});
    }
    return within;
}

Error unavailable(const store::Error& error) {
    return {ErrorKind::unavailable, error.text()};
}

}  // namespace

Result<LogOutput> LogOutput::open(store::LogReader& reader, KnownLog known, store::Stream stream) {
    LogOutput output{reader, stream};
    // The size first: a hole made between the two lies before it, or is seen as missing when read.
    const auto size = reader.size();
    if (!size) return unavailable(size.error());
    output.stored_end_ = *size;
    output.end_ = std::max(*size, known.size);
    auto holes = reader.holes();
    if (!holes) return unavailable(holes.error());
    for (Range hole : *holes) {
        hole.to = std::min(hole.to, output.stored_end_);
        if (hole.from < hole.to) output.holes_.push_back(hole);
    }
    if (!known.growing || output.end_ > output.stored_end_) return output;
    const auto stretches =
        output.stretches({output.end_ - std::min(output.end_, kLookAround), output.end_});
    if (stretches.empty() || stretches.back().to != output.end_) return output;
    const auto window = output.load_front(stretches.back(), kLookAround);
    if (!window) return window.error();
    output.end_ = output.stored_end_ = window->position(text::whole_length(window->bytes()));
    return output;
}

std::vector<Range> LogOutput::stretches(Range range) const {
    std::vector<Range> found;
    range.to = std::min(range.to, stored_end_);
    for (const Range& hole : holes_) {
        if (hole.to <= range.from) continue;
        if (hole.from >= range.to) break;
        if (hole.from > range.from) found.push_back({range.from, hole.from});
        range.from = hole.to;
    }
    if (range.from < range.to) found.push_back(range);
    return found;
}

Result<std::uint64_t> LogOutput::start_at(std::uint64_t from) {
    if (from >= end_) return end_;
    for (const Range& stretch : stretches({0, end_})) {
        if (from < stretch.to) return whole_start(stretch, from);
    }
    return from;
}

Result<std::vector<LogPiece>> LogOutput::read(Range range) {
    if (is_kept(range)) return pieces_within(range, kept_);
    auto pieces = reader_->read(range.from, range.size(), stream_);
    if (!pieces) return unavailable(pieces.error());
    return std::move(*pieces);
}

void LogOutput::keep(Range range, const std::vector<LogPiece>& pieces) {
    if (range.size() > kKeptBytes || is_kept(range)) return;
    kept_range_ = range;
    kept_ = pieces;
}

Result<LogWindow> LogOutput::load_front(Range stretch, std::size_t bytes) {
    LogWindow window{{stretch.from, stretch.from}};
    std::uint64_t step = std::max<std::uint64_t>(bytes, kLeastRead);
    while (window.bytes().size() < bytes && window.range().to < stretch.to) {
        const Range next{window.range().to, std::min(stretch.to, window.range().to + step)};
        auto pieces = read(next);
        if (!pieces) return pieces.error();
        keep(next, *pieces);
        if (stream_ == store::Stream::both) {
            // Anything missing is a hole made meanwhile: the window ends before it.
            std::uint64_t to = next.from;
            if (!pieces->empty() && pieces->front().from == to) {
                pieces->resize(1);
                to += pieces->front().bytes.size();
            } else {
                pieces->clear();
            }
            window.append(std::move(*pieces), to);
            if (to != next.to) break;
        } else {
            window.append(std::move(*pieces), next.to);
        }
        step = std::min(step * 2, kReadBytes);
    }
    return window;
}

Result<LogWindow> LogOutput::load_back(Range stretch, std::size_t bytes) {
    LogWindow window{{stretch.to, stretch.to}};
    std::uint64_t step = std::max<std::uint64_t>(bytes, kLeastRead);
    while (window.bytes().size() < bytes && window.range().from > stretch.from) {
        const std::uint64_t to = window.range().from;
        const Range next{to - std::min(step, to - stretch.from), to};
        auto pieces = read(next);
        if (!pieces) return pieces.error();
        keep(next, *pieces);
        if (stream_ == store::Stream::both) {
            std::uint64_t from = to;
            if (!pieces->empty() && pieces->back().from + pieces->back().bytes.size() == to) {
                pieces->erase(pieces->begin(), std::prev(pieces->end()));
                from = pieces->front().from;
            } else {
                pieces->clear();
            }
            window.prepend(std::move(*pieces), from);
            if (from != next.from) break;
        } else {
            window.prepend(std::move(*pieces), next.from);
        }
        step = std::min(step * 2, kReadBytes);
    }
    return window;
}

Result<std::uint64_t> LogOutput::whole_start(Range stretch, std::uint64_t at) {
    if (at <= stretch.from || at >= stretch.to) return at;
    const std::uint64_t from = std::max(stretch.from, at - std::min(at, kLookAround));
    LogWindow window{{from, from}};
    auto before = read({from, at});
    if (!before) return before.error();
    window.append(std::move(*before), at);
    const std::size_t offset = window.bytes().size();
    const std::uint64_t to = std::min(stretch.to, at + kLookAround);
    auto after = read({at, to});
    if (!after) return after.error();
    window.append(std::move(*after), to);
    const std::size_t whole = text::whole_start(window.bytes(), offset);
    return whole == offset ? at : window.position(whole);
}

Result<LogOutput::Tally> LogOutput::count(Range range) {
    Tally tally;
    const auto visited = visit(range, [&tally](const LogPiece& piece) {
        tally.bytes += piece.bytes.size();
        tally.newlines += text::count_newlines(piece.bytes);
    });
    if (!visited) return visited.error();
    return tally;
}

Result<std::vector<Range>> LogOutput::mixed(Range range) {
    if (stream_ == store::Stream::both) return std::vector<Range>{};
    auto parts = reader_->mixed(range);
    if (!parts) return unavailable(parts.error());
    return std::move(*parts);
}

Result<void> LogOutput::visit(Range range, const std::function<void(const LogPiece&)>& take) {
    for (Range stretch : stretches(range)) {
        while (stretch.from < stretch.to) {
            const Range next{stretch.from, std::min(stretch.to, stretch.from + kReadBytes)};
            const auto pieces = read(next);
            if (!pieces) return pieces.error();
            for (const LogPiece& piece : *pieces) take(piece);
            stretch.from = next.to;
        }
    }
    return {};
}

}  // namespace bgshell::jobs
