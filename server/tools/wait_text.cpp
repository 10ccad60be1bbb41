#include "tools/wait_text.hpp"

#include <boost/json/array.hpp>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "tools/coercion.hpp"
#include "tools/structure.hpp"

namespace bgshell::tools {
namespace {

using jobs::MatchReport;
using text::format_duration;

// A hole before the line hides its number.
std::string place(const jobs::Match& match) {
    if (match.line > 0) return "line " + std::to_string(match.line);
    return "the line at byte " + std::to_string(match.at);
}

}  // namespace

bool was_cut(const jobs::WaitReport& wait) {
    return wait.shortened && wait.waited >= wait.ceiling;
}

std::string wait_text(const jobs::WaitReport& wait, const std::string& await_tool) {
    std::string text = "waited " + format_duration(wait.waited);
    if (!was_cut(wait)) return text;
    return text + " of " + number_text(seconds(wait.asked)) +
           " s: your client ends longer calls; " + await_tool + " again";
}

std::string match_clause(const std::optional<MatchReport>& match) {
    if (!match || !match->matched) return {};
    std::string clause = "; wait_for matched " + place(match->match);
    if (match->age) clause += ", printed " + format_duration(*match->age) + " ago";
    return clause;
}

std::vector<std::string> match_quotes(const MatchReport& match) {
    std::vector<std::string> quotes;
    std::uint64_t behind = match.before.size();
    for (const std::string& line : match.before) {
        const std::string where = match.match.line > behind
                                      ? "line " + std::to_string(match.match.line - behind)
                                      : std::to_string(behind) + " before";
        quotes.push_back(where + " (untrusted): " + text::quote(line));
        --behind;
    }
    quotes.push_back(place(match.match) + " (untrusted): " + text::quote(match.match.text));
    return quotes;
}

std::vector<std::string> match_facts(const std::optional<MatchReport>& match) {
    std::vector<std::string> facts;
    if (!match) return facts;
    if (match->shown_before) {
        facts.push_back("wait_for has no new match; last match " + place(match->match) +
                        ", shown before");
    }
    if (match->pattern_literal) facts.push_back("wait_for is no valid RE2: taken literally");
    return facts;
}

boost::json::object match_object(const MatchReport& match) {
    boost::json::object entry;
    entry["at"] = match.match.at;
    if (match.match.line > 0) entry["line"] = match.match.line;
    entry["text"] = match.match.text;
    boost::json::array matches;
    matches.push_back(std::move(entry));
    boost::json::object output;
    output["matches"] = std::move(matches);
    return output;
}

std::string last_line_quote(const std::string& line) {
    return "last line (untrusted): " + text::quote(line);
}

}  // namespace bgshell::tools
