#include "jobs/log_grep.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bgshell::jobs {
namespace {

text::LineSearch::Options options_of(const LogGrep::Question& question) {
    text::LineSearch::Options options;
    options.first_bytes = question.max_bytes - question.max_bytes / 4;
    options.last_bytes = question.max_bytes / 4;
    options.before = question.context_lines;
    options.after = question.context_lines;
    return options;
}

}  // namespace

LogGrep::LogGrep(std::unique_ptr<store::LogReader> reader, LogOutput output,
                 const Question& question)
    : reader_{std::move(reader)},
      output_{std::move(output)},
      pattern_literal_{question.pattern.taken_literally()},
      search_{question.pattern, options_of(question)} {}

Result<LogGrep> LogGrep::open(store::LogReader reader, const Question& question) {
    auto kept = std::make_unique<store::LogReader>(std::move(reader));
    auto output = LogOutput::open(*kept, question.known, question.stream);
    if (!output) return output.error();
    const auto start = output->start_at(question.from);
    if (!start) return start.error();
    LogGrep grep{std::move(kept), std::move(*output), question};
    grep.range_ = {*start, grep.output_.end()};
    grep.searched_to_ = *start;
    grep.fed_ = *start;
    grep.holes_ = grep.output_.holes();
    auto mixed = grep.output_.mixed(grep.range_);
    if (!mixed) return mixed.error();
    grep.mixed_ = std::move(*mixed);
    grep.left_ = grep.output_.stretches(grep.range_);
    std::reverse(grep.left_.begin(), grep.left_.end());
    if (grep.one_stream()) {
        grep.search_.begin_at_line(0);  // numbers are those of the whole log
        return grep;
    }
    grep.finder_.emplace(*start);
    return grep;
}

bool LogGrep::one_stream() const noexcept {
    return output_.stream() != store::Stream::both;
}

void LogGrep::feed(const store::LogPiece& piece) {
    if (!one_stream()) return search_.feed(piece.from, piece.bytes);
    const auto lies_before = [&](const store::Range& hole) {
        return hole.from < piece.from && hole.to > searched_to_;
    };
    if (std::ranges::any_of(holes_, lies_before)) ++fed_;
    runs_.push_back({fed_, piece.from});
    search_.feed(fed_, piece.bytes);
    fed_ += piece.bytes.size();
    searched_to_ = piece.from + piece.bytes.size();
}

Result<bool> LogGrep::step() {
    if (finder_) {
        const auto more = finder_->step(output_);
        if (!more) return more.error();
        if (*more) return true;
        search_.begin_at_line(finder_->line());
        finder_.reset();
    }
    if (left_.empty()) return false;
    store::Range& stretch = left_.back();
    const store::Range next{stretch.from, std::min(stretch.to, stretch.from + kStep)};
    const auto pieces = reader_->read(next.from, next.size(), output_.stream());
    if (!pieces) return Error{ErrorKind::unavailable, pieces.error().text()};
    auto holes = reader_->holes();  // with those made meanwhile
    if (!holes) return Error{ErrorKind::unavailable, holes.error().text()};
    holes_ = std::move(*holes);
    for (const store::LogPiece& piece : *pieces) feed(piece);
    stretch.from = next.to;
    if (stretch.from == stretch.to) left_.pop_back();
    if (!left_.empty()) return true;
    search_.finish();
    return false;
}

std::uint64_t LogGrep::position(std::uint64_t fed_at) const {
    if (!one_stream()) return fed_at;
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), fed_at,
                         [](std::uint64_t at, const Run& run) { return at < run.fed_at; });
    const Run& run = *std::prev(after);
    return run.at + (fed_at - run.fed_at);
}

OutputView LogGrep::view() const {
    OutputView view;
    view.range = range_;
    view.next = range_.to;
    view.rolled = !holes_.empty();
    for (const store::Range& hole : holes_) {
        const store::Range gone{std::max(hole.from, range_.from), std::min(hole.to, range_.to)};
        if (gone.from >= gone.to) continue;
        view.omitted.push_back({gone, 0, 0, true});
        view.omitted_bytes += gone.size();
    }
    view.missing = output_.missing();
    view.omitted_bytes += std::min(view.missing.size(), range_.size());
    view.mixed = mixed_;
    view.searched = true;
    view.pattern_literal = pattern_literal_;
    view.matches_total = search_.total();
    view.matches_first = search_.first().size();
    const auto add = [&](const text::FoundLine& line) {
        view.matches.push_back({position(line.at), line.line, line.text, line.context});
    };
    std::for_each(search_.first().begin(), search_.first().end(), add);
    std::for_each(search_.last().begin(), search_.last().end(), add);
    return view;
}

}  // namespace bgshell::jobs
