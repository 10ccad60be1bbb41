// Line 1 of a result: which job, its state, and what is new about it.
//
//   line  = ID [" \"TITLE\""] " " state *(", " news)
//   state = "succeeded after T" | "failed, exit code N, after T" | ... | "running T of LIMIT"
//   news  = "ready" | "+118 lines" | "no output yet (0 bytes)" | "no new output for T" | ...
//
// Everything here is one line of valid UTF-8 for any job: quoted text is escaped.
#pragma once

#include <string>
#include <string_view>

#include "jobs/outcomes.hpp"

namespace bgshell::tools {

// The title given, else one made from the command.
[[nodiscard]] std::string title_of(const jobs::JobSnapshot& job);
// `k3f9x0ab "api tests"`
[[nodiscard]] std::string job_name(const jobs::JobSnapshot& job);

// "failed, exit code 1 (grep: nothing found), after T"
[[nodiscard]] std::string state_text(const jobs::JobSnapshot& job);

enum class Unread : bool {
    told,      // how much is new
    left_out,  // the answer shows the output
};
// ", ready, +118 lines" or empty.
[[nodiscard]] std::string news_text(const jobs::JobSnapshot& job, Unread unread);

// ", no output" or ", no new output" of an ended job of which no output is shown; empty if some is
// unread.
[[nodiscard]] std::string no_output_text(const jobs::JobSnapshot& job);

// One line of a listing, the title last: `k3f9x0ab running 6 min of 30 min, +12 lines  "web"`
[[nodiscard]] std::string list_line(const jobs::JobSnapshot& job);

// Result in a word or two: "ok", "exit 2", "SIGSEGV", "cancelled", ...
[[nodiscard]] std::string result_word(const jobs::JobSnapshot& job);

// Ended as failed, timed_out, output_limit or lost, but for an exit code that is an answer.
[[nodiscard]] bool is_bad_end(const jobs::JobSnapshot& job);

// "1 leftover process", "3 leftover processes"
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace bgshell::tools
