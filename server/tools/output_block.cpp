#include "tools/output_block.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

#include "tools/job_line.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using jobs::Match;
using jobs::OutputView;

std::string omitted_text(const OutputView& view) {
    std::string text;
    for (const jobs::Omitted& cut : view.omitted) {
        text += text.empty() ? ", omitted " : ", ";
        text += range_text(cut.range);
        if (cut.lines == 0) continue;
        text += cut.counted ? " (" : " (at least ";
        text += counted(cut.lines, "line", "lines") + ")";
    }
    return text;
}

std::string marked_text(const OutputView& view) {
    constexpr std::size_t kMarkBytes = 64;
    std::string text;
    text.reserve(view.text.size() + view.omitted.size() * kMarkBytes);
    std::size_t done = 0;
    for (const jobs::Omitted& cut : view.omitted) {
        const std::size_t at = std::clamp(cut.at, done, view.text.size());
        text.append(view.text, done, at - done);
        if (!text.empty() && text.back() != '\n') text += '\n';
        text += "[... " + range_text(cut.range) + " omitted ...]\n";
        done = at;
    }
    text.append(view.text, done);
    return text;
}

std::size_t count_matches(const OutputView& view, std::size_t from, std::size_t to) {
    std::size_t count = 0;
    for (std::size_t i = from; i < std::min(to, view.matches.size()); ++i) {
        if (!view.matches[i].context) ++count;
    }
    return count;
}

OutputBlock search_block(const OutputView& view) {
    OutputBlock block;
    block.header = view.matches_total == 1 ? "1 line matches"
                                           : std::to_string(view.matches_total) + " lines match";
    const std::size_t first = count_matches(view, 0, view.matches_first);
    const std::size_t last = count_matches(view, view.matches_first, view.matches.size());
    if (first + last < view.matches_total) {
        block.header += ", first " + std::to_string(first);
        if (last > 0) block.header += " and last " + std::to_string(last);
        block.header += " shown";
    }
    block.header += " (untrusted), byte position then line";
    for (const Match& match : view.matches) {
        block.text += std::to_string(match.at) + (match.context ? "- " : ": ") + match.text + "\n";
    }
    return block;
}

bool is_whole(const jobs::JobSnapshot& job, const OutputView& view) {
    return view.range.from == 0 && view.range.to >= job.bytes_stored && !is_cut(view);
}

}  // namespace

std::string range_text(const store::Range& range) {
    return std::to_string(range.from) + "-" + std::to_string(range.to);
}

bool is_cut(const OutputView& view) {
    return !view.omitted.empty() ||
           (view.searched && count_matches(view, 0, view.matches.size()) < view.matches_total);
}

std::optional<OutputBlock> output_block(const jobs::JobSnapshot& job, const OutputView& view,
                                        Reading reading) {
    if (view.searched) {
        if (view.matches.empty()) return std::nullopt;
        return search_block(view);
    }
    if (view.text.empty() && view.omitted.empty()) return std::nullopt;
    OutputBlock block;
    block.text = marked_text(view);
    if (view.again) {
        block.header = "last lines again (untrusted), bytes " + range_text(view.range);
    } else if (is_whole(job, view)) {
        block.header = "output (untrusted)";
    } else {
        const bool is_new = reading == Reading::since_look && view.range.from > 0;
        block.header = is_new ? "new output" : "output";
        block.header += " (untrusted), bytes " + range_text(view.range) + omitted_text(view);
    }
    return block;
}

json::object output_object(const OutputView& view) {
    json::object output;
    output["text"] = view.searched ? "" : marked_text(view);
    output["from"] = view.range.from;
    output["to"] = view.range.to;
    output["next"] = view.next;
    output["omitted_bytes"] = view.omitted_bytes;
    if (!view.matches.empty()) {
        json::array matches;
        for (const Match& match : view.matches) {
            json::object entry;
            entry["at"] = match.at;
            if (match.line > 0) entry["line"] = match.line;
            entry["text"] = match.text;
            matches.push_back(std::move(entry));
        }
        output["matches"] = std::move(matches);
    }
    return output;
}

std::string unsearched_text(const OutputView& view) {
    std::string gone;
    for (const jobs::Omitted& hole : view.omitted) {
        gone += (gone.empty() ? "" : ", ") + range_text(hole.range);
    }
    return gone.empty() ? gone : gone + " was rolled off";
}

std::string no_match_text(const jobs::JobSnapshot& job, const OutputView& view) {
    std::string text = "No line matches in " + range_text(view.range);
    const bool whole = view.range.from == 0 && view.range.to >= job.bytes_stored;
    if (whole && view.missing.size() == 0) text += ", the whole log";
    if (const std::string gone = unsearched_text(view); !gone.empty()) text += "; " + gone;
    return text + ".";
}

}  // namespace bgshell::tools
