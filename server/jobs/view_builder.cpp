#include "jobs/view_builder.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "text/head_tail_cut.hpp"
#include "text/newlines.hpp"
#include "text/terminal_cleaner.hpp"
#include "text/utf8.hpp"

namespace bgshell::jobs {
namespace {

using store::Range;

// "[... 1480-19780 omitted ...]" on its line, at the largest positions.
constexpr std::size_t kMarkerBytes = 64;
// Raw output that shows little (progress bars) is looked through up to here, for either end of a
// view.
constexpr std::size_t kMaxWindow = std::size_t{512} * 1024;
constexpr std::size_t kAgainLines = 5;
constexpr std::size_t kAgainBytes = 1000;
// How far tail looks for the beginning of the lines that it leaves out.
constexpr std::size_t kFirstLookBack = std::size_t{64} * 1024;
constexpr std::size_t kMaxLookBack = 1 << 20;
constexpr std::size_t kLastLineCharacters = 200;

std::size_t first_window(std::size_t budget) {
    return std::min(2 * budget + 4096, kMaxWindow);
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t") == line.npos;
}

}  // namespace

Result<ViewBuilder> ViewBuilder::open(store::LogReader& reader, KnownLog known,
                                      store::Stream stream) {
    auto output = LogOutput::open(reader, known, stream);
    if (!output) return output.error();
    return ViewBuilder{std::move(*output)};
}

// Parts from the beginning of `range` on, whose text fits.
Result<std::vector<ViewBuilder::Part>> ViewBuilder::take_front(Range range, std::size_t budget) {
    std::vector<Part> parts;
    for (const Range& stretch : output_.stretches(range)) {
        LogWindow window;
        text::Head head;
        bool all = false;
        for (std::size_t size = first_window(budget);; size = std::min(size * 4, kMaxWindow)) {
            auto loaded = output_.load_front(stretch, size);
            if (!loaded) return loaded.error();
            window = std::move(*loaded);
            all = window.range().to == stretch.to;
            std::string_view bytes = window.bytes();
            if (!all) {
                // A sequence that is longer than a window is cut like text.
                const std::size_t whole = text::whole_length(bytes);
                bytes = bytes.substr(0, whole > 0 ? whole : bytes.size());
            }
            head = text::cut_head(bytes, budget);
            all = all && head.to == bytes.size();
            if (all || head.to < bytes.size() || size == kMaxWindow) break;
        }
        const std::uint64_t to = all ? stretch.to : window.position(head.to);
        if (to > stretch.from)
            parts.push_back({{stretch.from, to}, std::move(head.text), head.size});
        if (!all) break;
        budget -= parts.back().size;
    }
    return parts;
}

// Parts up to the end of `range`, whose text fits, of at most `lines` lines; what is left of those
// stays in `lines`.
Result<std::vector<ViewBuilder::Part>> ViewBuilder::take_back(Range range, std::size_t budget,
                                                              std::size_t& lines) {
    std::vector<Part> backwards;
    const std::vector<Range> stretches = output_.stretches(range);
    for (auto stretch = stretches.rbegin(); stretch != stretches.rend() && lines > 0; ++stretch) {
        std::uint64_t from = stretch->to;
        text::Tail tail;
        for (std::size_t size = first_window(budget);; size = std::min(size * 4, kMaxWindow)) {
            const auto window = output_.load_back(*stretch, size);
            if (!window) return window.error();
            const bool all = window->range().from == stretch->from;
            std::size_t skipped = 0;
            if (!all) {
                const auto start = output_.whole_start(*stretch, window->range().from);
                if (!start) return start.error();
                while (skipped < window->bytes().size() && window->position(skipped) < *start) {
                    ++skipped;
                }
            }
            tail = text::cut_tail(window->bytes().substr(skipped), budget, lines);
            from = all && tail.from == 0 ? stretch->from : window->position(skipped + tail.from);
            if (all || tail.from > 0 || size == kMaxWindow) break;
        }
        if (from == stretch->to) break;
        lines -= tail.lines;
        budget -= tail.size;
        backwards.push_back({{from, stretch->to}, std::move(tail.text), tail.size});
        if (from > stretch->from) break;
    }
    std::reverse(backwards.begin(), backwards.end());
    return backwards;
}

Result<void> ViewBuilder::add_gap(OutputView& view, Range gap) {
    Omitted omitted{gap, 0, view.text.size(), true};
    std::uint64_t stored = 0;
    for (const Range& stretch : output_.stretches(gap)) stored += stretch.size();
    const std::uint64_t in_holes = gap.size() - stored;
    if (stored > LogOutput::kMaxCounted) {
        omitted.counted = false;
        view.omitted_bytes += gap.size();
    } else {
        const auto tally = output_.count(gap);
        if (!tally) return tally.error();
        omitted.lines = tally->newlines;
        omitted.counted = in_holes == 0;
        view.omitted_bytes += in_holes + tally->bytes;
        if (tally->bytes == 0 && in_holes == 0) return {};  // bytes of the other stream only
    }
    view.omitted.push_back(omitted);
    return {};
}

Result<OutputView> ViewBuilder::assemble(Range range, const std::vector<Part>& parts) {
    OutputView view;
    view.range = range;
    view.next = range.to;
    view.rolled = !output_.holes().empty();
    if (range.to == output_.end()) view.missing = output_.missing();
    auto mixed = output_.mixed(range);
    if (!mixed) return mixed.error();
    view.mixed = std::move(*mixed);
    std::uint64_t shown_to = range.from;
    std::size_t size = 0;
    for (const Part& part : parts) size += part.text.size();
    view.text.reserve(size);
    for (const Part& part : parts) {
        if (part.range.from > shown_to) {
            const auto added = add_gap(view, {shown_to, part.range.from});
            if (!added) return added.error();
        }
        view.text += part.text;
        shown_to = part.range.to;
    }
    if (shown_to < range.to) {
        const auto added = add_gap(view, {shown_to, range.to});
        if (!added) return added.error();
    }
    return view;
}

// Whether a look at the bytes is enough to see that they do not fit.
Result<bool> ViewBuilder::is_too_long(const std::vector<Range>& stretches, std::size_t max_bytes) {
    if (stretches.size() != 1) return false;
    const Range& stretch = stretches.front();
    if (stretch.size() <= max_bytes || stretch.size() > first_window(max_bytes)) return false;
    const auto window = output_.load_front(stretch, stretch.size());
    if (!window) return window.error();
    return text::is_clean(window->bytes()) && window->bytes().size() > max_bytes;
}

Result<OutputView> ViewBuilder::whole(std::uint64_t from, std::size_t max_bytes) {
    const auto start = output_.start_at(from);
    if (!start) return start.error();
    const Range range{*start, end()};
    const std::vector<Range> stretches = output_.stretches(range);
    std::uint64_t stored = 0;
    for (const Range& stretch : stretches) stored += stretch.size();
    const auto hopeless = is_too_long(stretches, max_bytes);
    if (!hopeless) return hopeless.error();
    if (!*hopeless && (stored <= kMaxWindow || output_.stream() != store::Stream::both)) {
        auto all = take_front(range, max_bytes);
        if (!all) return all.error();
        if (stored == 0 || (!all->empty() && all->back().range.to == stretches.back().to)) {
            return assemble(range, *all);
        }
    }
    const std::size_t budget = max_bytes - std::min(max_bytes, kMarkerBytes);
    auto parts = take_front(range, budget / 2);
    if (!parts) return parts.error();
    std::size_t used = 0;
    for (const Part& part : *parts) used += part.size;
    const std::uint64_t shown_to = parts->empty() ? range.from : parts->back().range.to;
    std::size_t lines = std::numeric_limits<std::size_t>::max();
    auto back = take_back({shown_to, range.to}, budget - used, lines);
    if (!back) return back.error();
    parts->insert(parts->end(), std::make_move_iterator(back->begin()),
                  std::make_move_iterator(back->end()));
    return assemble(range, *parts);
}

Result<OutputView> ViewBuilder::since(std::uint64_t look, std::size_t max_bytes) {
    if (look < end()) return whole(look, max_bytes);
    auto view = tail(kAgainLines, std::min(max_bytes, kAgainBytes));
    if (!view) return view.error();
    view->again = !view->text.empty();
    // What lies before the shown lines is no news either.
    if (!view->omitted.empty() && view->omitted.front().at == 0) {
        view->range.from = view->omitted.front().range.to;
        view->omitted.erase(view->omitted.begin());
    }
    view->omitted_bytes = 0;
    return view;
}

Result<OutputView> ViewBuilder::onward(std::uint64_t from, std::size_t max_bytes) {
    const auto start = output_.start_at(from);
    if (!start) return start.error();
    // At least one character fits, so that reading on comes to the end.
    auto parts = take_front({*start, end()}, std::max(max_bytes, kMarkerBytes));
    if (!parts) return parts.error();
    const std::uint64_t to = parts->empty() ? end() : parts->back().range.to;
    return assemble({*start, to}, *parts);
}

// Where the last `lines` lines of [from, to) begin; `to` if that is too far back to look for.
Result<std::uint64_t> ViewBuilder::lines_back(std::uint64_t from, std::uint64_t to,
                                              std::size_t lines) {
    const std::vector<Range> stretches = output_.stretches({from, to});
    if (stretches.empty()) return to;
    const Range& stretch = stretches.back();
    for (std::size_t size = kFirstLookBack; size <= kMaxLookBack; size *= 4) {
        const auto window = output_.load_back(stretch, size);
        if (!window) return window.error();
        std::size_t at = window->bytes().size();
        for (std::size_t left = lines; left > 0 && at > 0; --left)
            at = text::line_start(window->bytes(), at);
        if (at > 0) return window->position(at);
        if (window->range().from == stretch.from) return stretch.from;
    }
    return to;
}

Result<OutputView> ViewBuilder::tail(std::size_t lines, std::size_t max_bytes, std::uint64_t from) {
    const auto start = output_.start_at(from);
    if (!start) return start.error();
    std::size_t left = lines;
    auto parts = take_back({*start, end()}, max_bytes, left);
    if (!parts) return parts.error();
    std::uint64_t first = parts->empty() ? end() : parts->front().range.from;
    if (left > 0 && first > *start) {
        const auto begin = lines_back(*start, first, left);
        if (!begin) return begin.error();
        first = *begin;
    }
    return assemble({first, end()}, *parts);
}

Result<std::string> ViewBuilder::last_line() {
    const std::vector<Range> stretches = output_.stretches({0, end()});
    if (stretches.empty()) return std::string{};
    for (const std::size_t size : {std::size_t{8192}, kMaxWindow}) {
        const auto window = output_.load_back(stretches.back(), size);
        if (!window) return window.error();
        const std::string_view bytes = window->bytes();
        for (std::size_t end = bytes.size(); end > 0;) {
            const std::size_t start = text::line_start(bytes, end);
            // The line that the window cuts is left to the larger one.
            if (start == 0 && size < kMaxWindow && window->range().from > stretches.back().from)
                break;
            std::string line = text::clean(bytes.substr(start, end - start));
            if (line.ends_with('\n')) line.pop_back();
            if (!is_blank(line)) {
                return std::string{text::first_characters(line, kLastLineCharacters)};
            }
            end = start;
        }
        if (window->range().from == stretches.back().from) break;
    }
    return std::string{};
}

}  // namespace bgshell::jobs
