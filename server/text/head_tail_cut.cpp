#include "text/head_tail_cut.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "text/escape_parser.hpp"
#include "text/json_size.hpp"
#include "text/newlines.hpp"
#include "text/terminal_cleaner.hpp"
#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

// How far a line may exceed its budget for a while, until it is rewritten.
constexpr std::size_t kTransientBytes = 4096;
// Lines are looked at in runs, by which one goes over clean text fast. A run that is not clean, or
// does not fit, is quartered twice; the lines of the shortest are looked at one by one.
constexpr std::size_t kLongRun = 4096;
constexpr std::size_t kShortRun = 256;

// Cleans lines whose text must fit into a budget.
class LineFitter {
  public:
    explicit LineFitter(std::size_t budget) : cleaner_{budget + kTransientBytes} {}

    // The text of `raw`, one line with or without its newline, which takes its json_size from
    // `budget`; nullopt if that is too little. Valid until the next call, while `raw` is.
    std::optional<std::string_view> fit(std::string_view raw, std::size_t& budget) {
        std::string_view text = raw;
        if (is_clean(raw)) {
            if (raw.size() > budget) return std::nullopt;
        } else {
            const bool ends = raw.ends_with('\n');
            text_.clear();
            cleaner_.feed(ends ? raw.substr(0, raw.size() - 1) : raw, text_);
            const bool overflowed = cleaner_.overflowed();
            if (ends) cleaner_.feed("\n", text_);
            cleaner_.finish(text_);
            if (overflowed) return std::nullopt;
            text = text_;
        }
        const std::size_t size = json_size(text);
        if (size > budget) return std::nullopt;
        budget -= size;
        return text;
    }

    // Whether `lines` are shown as they are, and fit; then they take their json_size from `budget`.
    static bool fit_whole(std::string_view lines, std::size_t& budget) {
        if (lines.empty() || lines.size() > budget || !is_clean(lines)) return false;
        const std::size_t size = json_size(lines);
        if (size > budget) return false;
        budget -= size;
        return true;
    }

  private:
    TerminalCleaner cleaner_;
    std::string text_;
};

// Whole lines at the beginning of `raw`, of at most `run` bytes.
std::string_view lines_at_front(std::string_view raw, std::size_t run) {
    const std::string_view front = raw.substr(0, run);
    return front.substr(0, line_start(front, front.size() + 1));
}

// The same at the end; the last of them may have no newline.
std::string_view lines_at_back(std::string_view raw, std::size_t run) {
    if (raw.size() <= run) return raw;
    const std::string_view back = raw.substr(raw.size() - run);
    const std::size_t newline = back.find('\n');
    return newline == back.npos ? std::string_view{} : back.substr(newline + 1);
}

// Text that is put together from its end.
class BackwardText {
  public:
    // Borrowed until `take`.
    void put_before(std::string_view part) {
        if (!parts_.empty() && part.data() + part.size() == parts_.back().data()) {
            parts_.back() = {part.data(), part.size() + parts_.back().size()};
        } else {
            parts_.push_back(part);
        }
    }
    void put_before(std::string&& part) { parts_.push_back(owned_.emplace_back(std::move(part))); }
    [[nodiscard]] std::string take(std::size_t size_hint) const {
        std::string text;
        text.reserve(size_hint);
        for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) text += *part;
        return text;
    }

  private:
    std::vector<std::string_view> parts_;  // the last one first
    std::deque<std::string> owned_;
};

std::size_t count_lines(std::string_view lines) {
    return count_newlines(lines) + (lines.ends_with('\n') ? 0 : 1);
}

// As much of the beginning of a line that does not fit as does.
Head cut_line_head(std::string_view raw, std::size_t budget) {
    if (raw.ends_with('\n')) raw.remove_suffix(1);
    TerminalCleaner cleaner{budget + kTransientBytes};
    std::size_t at = 0;
    std::size_t step = std::max<std::size_t>(budget, 1);
    while (step > 0 && at < raw.size()) {
        step = std::min(step, raw.size() - at);
        TerminalCleaner tried = cleaner;
        std::string ended;
        tried.feed(raw.substr(at, step), ended);
        if (tried.overflowed() || json_size(tried.line()) > budget) {
            step /= 2;
            continue;
        }
        cleaner = std::move(tried);
        at += step;
        step *= 2;
    }
    // What is half read at `at` shows nothing yet.
    return {std::string{cleaner.line()},
            cleaner.at_boundary() ? at : whole_length(raw.substr(0, at)),
            json_size(cleaner.line())};
}

// Where the end of the line raw [from, to) begins that fits, and its text.
Tail cut_line_tail(std::string_view raw, std::size_t from, std::size_t to, std::size_t budget) {
    // Control sequences can make the raw line much longer than what it shows.
    const std::size_t reach = 4 * budget;
    std::size_t at = to - from > reach ? to - reach : from;
    while (true) {
        at = std::min(whole_start(raw, at), to);
        std::string text = clean(raw.substr(at, to - at));
        const std::size_t size = json_size(text);
        if (size <= budget) return {std::move(text), at, 1, size};
        at += std::max<std::size_t>((size - budget) * (to - at) / size, 1);
    }
}

}  // namespace

std::size_t whole_start(std::string_view raw, std::size_t at) noexcept {
    return next_boundary(raw, after_sequence(raw, next_boundary(raw, at)));
}

std::size_t whole_length(std::string_view raw) noexcept {
    raw.remove_suffix(incomplete_tail(raw));
    return raw.size() - unfinished_sequence(raw);
}

Head cut_head(std::string_view raw, std::size_t budget) {
    Head head;
    LineFitter fitter{budget};
    std::size_t left = budget;
    head.text.reserve(std::min(budget, raw.size()));
    std::size_t run = kLongRun;
    std::size_t by_lines = 0;  // up to here one line at a time
    while (head.to < raw.size()) {
        if (head.to >= by_lines) {
            const std::string_view block = lines_at_front(raw.substr(head.to), run);
            if (LineFitter::fit_whole(block, left)) {
                head.text += block;
                head.to += block.size();
                continue;
            }
            if (run > kShortRun) {
                run /= 4;
                continue;
            }
            run = kLongRun;
            by_lines = head.to + std::max<std::size_t>(block.size(), 1);
        }
        const std::size_t newline = raw.find('\n', head.to);
        const std::size_t end = newline == raw.npos ? raw.size() : newline + 1;
        const std::string_view line = raw.substr(head.to, end - head.to);
        if (const auto text = fitter.fit(line, left)) {
            head.text += *text;
            head.to = end;
            continue;
        }
        if (left > budget / 2) {
            const Head part = cut_line_head(line, left);
            left -= part.size;
            head.text += part.text;
            head.to += part.to;
        }
        break;
    }
    head.size = budget - left;
    return head;
}

Tail cut_tail(std::string_view raw, std::size_t budget, std::size_t max_lines) {
    LineFitter fitter{budget};
    BackwardText text;
    Tail tail{{}, raw.size(), 0, 0};
    std::size_t left = budget;
    std::size_t run = kLongRun;
    std::size_t by_lines = raw.size();  // from here on one line at a time
    while (tail.from > 0 && tail.lines < max_lines) {
        if (tail.from <= by_lines) {
            const std::string_view block = lines_at_back(raw.substr(0, tail.from), run);
            const std::size_t lines = count_lines(block);
            if (lines <= max_lines - tail.lines && LineFitter::fit_whole(block, left)) {
                tail.from -= block.size();
                tail.lines += lines;
                text.put_before(block);
                continue;
            }
            if (run > kShortRun) {
                run /= 4;
                continue;
            }
            run = kLongRun;
            by_lines = tail.from - std::max<std::size_t>(block.size(), 1);
        }
        const std::size_t start = line_start(raw, tail.from);
        const std::string_view line = raw.substr(start, tail.from - start);
        const auto fitted = fitter.fit(line, left);
        if (!fitted) {
            if (left <= budget / 2) break;
            Tail part = cut_line_tail(raw, start, tail.from, left);
            if (part.from == tail.from) break;
            left -= part.size;
            tail.from = part.from;
            ++tail.lines;
            text.put_before(std::move(part.text));
            break;
        }
        tail.from = start;
        ++tail.lines;
        if (fitted->data() == line.data()) {
            text.put_before(line);
        } else {
            text.put_before(std::string{*fitted});
        }
    }
    tail.size = budget - left;
    tail.text = text.take(tail.size);
    return tail;
}

}  // namespace bgshell::text
