// How a wait went: how long, whether the client cut it, what it matched.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "jobs/outcomes.hpp"

namespace bgshell::tools {

// The client's ceiling ended the wait.
[[nodiscard]] bool was_cut(const jobs::WaitReport& wait);

// "waited 45 s", or "waited 50 s of 600 s: your client ends longer calls; await again"
[[nodiscard]] std::string wait_text(const jobs::WaitReport& wait, const std::string& await_tool);

// "; wait_for matched line 214", with how long ago where it was there before the call. Empty: no
// match.
[[nodiscard]] std::string match_clause(const std::optional<jobs::MatchReport>& match);

// `line 214 (untrusted): "..."`, before it the up to two lines that stood there before.
[[nodiscard]] std::vector<std::string> match_quotes(const jobs::MatchReport& match);

// "wait_for has no new match; last match line 14, shown before", "wait_for is no valid RE2: ..."
[[nodiscard]] std::vector<std::string> match_facts(const std::optional<jobs::MatchReport>& match);

// The structure's `output` of a match.
[[nodiscard]] boost::json::object match_object(const jobs::MatchReport& match);

// `last line (untrusted): "..."`
[[nodiscard]] std::string last_line_quote(const std::string& line);

}  // namespace bgshell::tools
