#include "text/line_search.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/head_tail_cut.hpp"
#include "text/json_size.hpp"
#include "text/newlines.hpp"
#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;
constexpr std::size_t kSliceBytes = std::size_t{256} * 1024;
constexpr std::size_t kPartBytes = 1 << 20;
constexpr std::size_t kPartOverlap = 4096;
// Of a line that is only context: more than is ever shown.
constexpr std::size_t kContextBytes = 4096;
constexpr std::string_view kCut = "...";

std::string_view without_newline(std::string_view line) {
    return line.substr(0, line.size() - (line.ends_with('\n') ? 1 : 0));
}

// At most `limit` bytes of `text` with what is at `match_at`.
std::string window(std::string_view text, std::size_t match_at, std::size_t limit) {
    if (text.size() <= limit) return std::string{text};
    std::size_t from = match_at > limit / 2 ? match_at - limit / 4 : 0;
    from = previous_boundary(text, from);
    std::string out{from > 0 ? kCut : ""};
    std::string_view rest = text.substr(from);
    const std::size_t room = limit - std::min(limit, out.size());
    if (rest.size() <= room) return out += rest;
    rest = rest.substr(0, previous_boundary(rest, room - std::min(room, kCut.size())));
    out += rest;
    return out += kCut;
}

}  // namespace

LineSearch::LineSearch(Pattern pattern, Options options)
    : pattern_{std::move(pattern)}, options_{options}, cleaner_{kPartBytes + kSliceBytes} {}

void LineSearch::feed(std::uint64_t at, std::string_view bytes) {
    if (!fed_) position_ = at;
    fed_ = true;
    if (at > position_) {
        finish();
        line_ = 0;
        recent_.clear();
        after_left_ = 0;
    }
    position_ = at + bytes.size();
    for (; bytes.size() > kSliceBytes; at += kSliceBytes, bytes.remove_prefix(kSliceBytes)) {
        take_slice(at, bytes.substr(0, kSliceBytes));
    }
    take_slice(at, bytes);
}

void LineSearch::take_slice(std::uint64_t at, std::string_view bytes) {
    if (!open_.empty()) {
        const std::size_t newline = bytes.find('\n');
        const std::size_t rest = newline == bytes.npos ? bytes.size() : newline + 1;
        open_ += bytes.substr(0, rest);
        bytes.remove_prefix(rest);
        at += rest;
        open_to_ = at;
        if (newline == bytes.npos) {
            if (open_.size() > kPartBytes) {
                search_open_part();
                open_.erase(0, whole_start(open_, open_.size() - kPartOverlap));
            }
            return;
        }
        finish();
    }
    const std::size_t last = bytes.rfind('\n');
    const std::size_t whole = last == bytes.npos ? 0 : last + 1;
    search_lines(bytes.substr(0, whole), at);
    open_ = bytes.substr(whole);
    open_at_ = at + whole;
    open_to_ = at + bytes.size();
}

void LineSearch::search_open_part() {
    if (open_matched_) return;
    const std::string_view raw = without_newline(open_);
    const std::string_view text = cleaned(raw, open_.ends_with('\n'));
    const std::size_t match_at = pattern_.find(text);
    const RawLine line{open_at_, open_to_, line_, raw};
    if (match_at != Pattern::npos) {
        open_matched_ = true;
        take_match(line, {}, open_at_, text, match_at);
    }
}

void LineSearch::take_open_line() {
    if (!open_.empty()) search_open_part();
}

void LineSearch::finish() {
    if (open_.empty()) return;
    search_open_part();
    if (!open_matched_ && after_left_ > 0)
        take_after({open_at_, open_to_, line_, without_newline(open_)});
    const std::string line = std::exchange(open_, {});
    open_matched_ = false;
    if (line_ > 0) ++line_;
    remember(line, open_at_, line_);
}

void LineSearch::search_lines(std::string_view bytes, std::uint64_t at) {
    while (!bytes.empty()) {
        // A block ends with a line, and is one line at least.
        std::size_t size = bytes.size();
        if (size > kBlockBytes) {
            const std::size_t within = bytes.rfind('\n', kBlockBytes - 1);
            size = (within == bytes.npos ? bytes.find('\n') : within) + 1;
        }
        const std::string_view block = bytes.substr(0, size);
        if (pattern_.searches_blocks() && is_clean(block)) {
            search_clean_block(block, at);
        } else {
            search_each_line(block, at);
        }
        const std::uint64_t next_line = line_ == 0 ? 0 : line_ + count_newlines(block);
        remember(block, at, next_line);
        line_ = next_line;
        bytes.remove_prefix(size);
        at += size;
    }
}

void LineSearch::search_clean_block(std::string_view block, std::uint64_t at) {
    const std::string_view text = block.substr(0, block.size() - 1);
    Pattern::BlockSearch search{pattern_, text};
    std::uint64_t number = line_;
    std::size_t counted = 0;  // `number` is that of the line that begins here
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t hit = search.next(from);
        if (hit == Pattern::npos && after_left_ == 0) return;
        std::size_t start = from;
        if (hit != Pattern::npos && after_left_ == 0 && hit > 0) start = line_start(text, hit + 1);
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (number > 0) number += count_newlines(text.substr(counted, start - counted));
        counted = start;
        const RawLine line{at + start, at + end + 1, number, text.substr(start, end - start)};
        if (hit <= end) {
            take_match(line, block, at, line.bytes, hit - start);
        } else {
            take_after(line);
        }
        from = end + 1;
    }
}

void LineSearch::search_each_line(std::string_view block, std::uint64_t at) {
    std::uint64_t number = line_;
    for (std::size_t start = 0; start < block.size();) {
        const std::size_t end = block.find('\n', start);
        const RawLine line{at + start, at + end + 1, number, block.substr(start, end - start)};
        const std::string_view text = cleaned(line.bytes, true);
        const std::size_t match_at = pattern_.find(text);
        if (match_at != Pattern::npos) {
            take_match(line, block, at, text, match_at);
        } else if (after_left_ > 0) {
            take_after(line);
        }
        if (number > 0) ++number;
        start = end + 1;
    }
}

std::string_view LineSearch::cleaned(std::string_view raw, bool ended) {
    if (is_clean(raw)) return raw;
    cleaned_.clear();
    cleaner_.feed(raw, cleaned_);
    if (ended) {
        cleaner_.feed("\n", cleaned_);
        cleaned_.pop_back();
    } else {
        cleaner_.finish(cleaned_);
    }
    return cleaned_;
}

// `block` ends with a line; `next_line` is the number of the line behind it.
void LineSearch::remember(std::string_view block, std::uint64_t at, std::uint64_t next_line) {
    if (options_.before == 0) return;
    std::vector<KeptLine> backwards;
    std::size_t end = block.size();
    while (end > 0 && backwards.size() < options_.before) {
        const std::size_t text_end = end - (block[end - 1] == '\n' ? 1 : 0);
        const std::size_t start = line_start(block, end);
        if (next_line > 0) --next_line;
        const std::string_view raw = block.substr(start, text_end - start);
        backwards.push_back({at + start, next_line, std::string{raw.substr(0, kContextBytes)}});
        end = start;
    }
    recent_.insert(recent_.end(), std::make_move_iterator(backwards.rbegin()),
                   std::make_move_iterator(backwards.rend()));
    while (recent_.size() > options_.before) recent_.pop_front();
}

std::vector<FoundLine> LineSearch::lines_before(const RawLine& line, std::string_view block,
                                                std::uint64_t block_at) {
    std::vector<FoundLine> found;
    const std::uint64_t floor = options_.share_context ? shown_to_ : 0;
    const auto add = [&](std::uint64_t at, std::uint64_t number, std::string_view raw) {
        const std::string text = clean_ended_line(raw.substr(0, kContextBytes));
        found.push_back(
            {at, at + raw.size() + 1, number, window(text, 0, options_.line_bytes), true, total_});
    };
    std::uint64_t number = line.line;
    std::size_t end = block.empty() ? 0 : static_cast<std::size_t>(line.at - block_at);
    while (end > 0 && found.size() < options_.before) {
        const std::size_t start = line_start(block, end);
        if (block_at + start < floor) break;
        if (number > 0) --number;
        add(block_at + start, number, block.substr(start, end - 1 - start));
        end = start;
    }
    if (end == 0) {
        for (auto kept = recent_.rbegin(); kept != recent_.rend(); ++kept) {
            if (found.size() == options_.before || kept->at < floor) break;
            add(kept->at, kept->line, kept->bytes);
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

void LineSearch::take_match(const RawLine& line, std::string_view block, std::uint64_t block_at,
                            std::string_view cleaned, std::size_t match_at) {
    ++total_;
    // `cleaned` may live in cleaned_, which nothing below uses.
    std::vector<FoundLine> group;
    if (options_.before > 0) group = lines_before(line, block, block_at);
    group.push_back({line.at, line.to, line.line, window(cleaned, match_at, options_.line_bytes),
                     false, total_});
    shown_to_ = line.to;
    after_left_ = options_.after;
    keep_group(std::move(group));
}

void LineSearch::take_after(const RawLine& line) {
    --after_left_;
    shown_to_ = line.to;
    const std::string text = clean_ended_line(line.bytes.substr(0, kContextBytes));
    FoundLine found{line.at, line.to, line.line, window(text, 0, options_.line_bytes),
                    true,    total_};
    const std::size_t size = cost(found);
    if (!last_.empty()) {
        last_cost_ += size;
        last_.push_back(std::move(found));
        trim_last();
    } else if (first_cost_ + size <= options_.first_bytes) {
        first_cost_ += size;
        first_.push_back(std::move(found));
    } else {
        first_closed_ = true;
        after_left_ = 0;
    }
}

std::size_t LineSearch::cost(const FoundLine& line) const {
    // "position: text\n"
    return json_size(line.text) + std::to_string(line.at).size() + 4;
}

void LineSearch::keep_group(std::vector<FoundLine> group) {
    if (!first_closed_) {
        std::size_t sum = first_cost_;
        for (const FoundLine& line : group) sum += cost(line);
        if (sum <= options_.first_bytes && first_groups_ < options_.first_matches) {
            first_cost_ = sum;
            ++first_groups_;
            first_.insert(first_.end(), std::make_move_iterator(group.begin()),
                          std::make_move_iterator(group.end()));
            return;
        }
        first_closed_ = true;
    }
    ++last_groups_;
    for (FoundLine& line : group) {
        last_cost_ += cost(line);
        last_.push_back(std::move(line));
    }
    trim_last();
}

// Drops whole groups from the front; of the newest one only context, from its ends.
void LineSearch::trim_last() {
    const auto over = [this] {
        return last_cost_ > options_.last_bytes || last_groups_ > options_.last_matches;
    };
    while (over() && last_.front().group != last_.back().group) {
        const std::uint64_t group = last_.front().group;
        while (last_.front().group == group) {
            last_cost_ -= cost(last_.front());
            last_.pop_front();
        }
        --last_groups_;
    }
    while (over() && last_.front().context) {
        last_cost_ -= cost(last_.front());
        last_.pop_front();
    }
    while (over() && last_.back().context) {
        last_cost_ -= cost(last_.back());
        last_.pop_back();
        after_left_ = 0;
    }
}

}  // namespace bgshell::text
