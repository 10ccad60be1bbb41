#include "store/log_index.hpp"

#include <algorithm>

namespace bgshell::store {
namespace {

bool belongs(keeper::IndexKind kind, Stream stream) {
    switch (kind) {
        case keeper::IndexKind::out:
            return stream != Stream::err;
        case keeper::IndexKind::err:
            return stream != Stream::out;
        case keeper::IndexKind::hole:
        case keeper::IndexKind::mixed:
            return true;
    }
    return true;
}

constexpr auto kMixed = [](keeper::IndexKind kind) { return kind == keeper::IndexKind::mixed; };

void append(Range part, std::vector<Range>& parts) {
    if (part.from >= part.to) return;
    if (!parts.empty() && parts.back().to == part.from) {
        parts.back().to = part.to;
    } else {
        parts.push_back(part);
    }
}

}  // namespace

void LogIndex::take(std::string_view bytes) {
    if (invalid_) return;
    const auto entries = keeper::decode_index(bytes);
    for (const auto& entry : entries) {
        if (entry.kind == keeper::IndexKind::hole) {
            add_hole({entry.from, entry.to});
        } else {
            add_mark({entry.from, entry.kind});
        }
    }
    taken_ += entries.size() * keeper::kIndexEntryBytes;
    invalid_ = entries.size() < bytes.size() / keeper::kIndexEntryBytes;
}

void LogIndex::add_hole(Range hole) {
    if (hole.from >= hole.to) return;
    // The holes that touch the new one become part of it.
    const auto first =
        std::lower_bound(holes_.begin(), holes_.end(), hole.from,
                         [](const Range& known, std::uint64_t from) { return known.to < from; });
    auto last = first;
    while (last != holes_.end() && last->from <= hole.to) {
        hole.from = std::min(hole.from, last->from);
        hole.to = std::max(hole.to, last->to);
        ++last;
    }
    holes_.insert(holes_.erase(first, last), hole);
}

void LogIndex::add_mark(Mark mark) {
    // The log only grows, and so do the marks; should one go back, it holds from there on.
    while (!marks_.empty() && marks_.back().from >= mark.from) marks_.pop_back();
    if (marks_.empty() || marks_.back().kind != mark.kind) marks_.push_back(mark);
}

std::vector<Range> LogIndex::present(Range range, Stream stream) const {
    std::vector<Range> parts;
    const auto add = [&](Range part) {
        if (stream == Stream::both) return append(part, parts);
        append_marked(
            part, [=](keeper::IndexKind kind) { return belongs(kind, stream); }, parts);
    };
    auto hole =
        std::lower_bound(holes_.begin(), holes_.end(), range.from,
                         [](const Range& known, std::uint64_t from) { return known.to <= from; });
    for (; hole != holes_.end() && hole->from < range.to; ++hole) {
        add({range.from, hole->from});
        range.from = hole->to;
    }
    add(range);
    return parts;
}

std::vector<Range> LogIndex::mixed(Range range) const {
    std::vector<Range> parts;
    append_marked(range, kMixed, parts);
    return parts;
}

template <class Wanted>
void LogIndex::append_marked(Range range, const Wanted& wanted, std::vector<Range>& parts) const {
    auto mark =
        std::upper_bound(marks_.begin(), marks_.end(), range.from,
                         [](std::uint64_t from, const Mark& known) { return from < known.from; });
    auto kind = mark == marks_.begin() ? keeper::IndexKind::mixed : std::prev(mark)->kind;
    while (range.from < range.to) {
        const auto next = mark == marks_.end() ? range.to : std::min(mark->from, range.to);
        if (wanted(kind)) append({range.from, next}, parts);
        range.from = next;
        if (mark != marks_.end()) kind = (mark++)->kind;
    }
}

}  // namespace bgshell::store
