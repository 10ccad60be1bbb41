#include "tools/hints.hpp"

#include "text/duration.hpp"
#include "tools/exit_code_meaning.hpp"
#include "tools/job_line.hpp"

namespace bgshell::tools {
namespace {

std::string quoted_id(const jobs::JobSnapshot& job) {
    return "\"" + job.row.spec.id.text() + "\"";
}

}  // namespace

Hint search_hint(const jobs::JobSnapshot& job, const Manner& manner) {
    return {HintKind::search_log,
            manner.tool("output") + " {\"id\":" + quoted_id(job) + ",\"grep\":\"FAIL|Error\"}"};
}

Hint running_hint(const jobs::JobSnapshot& job, const Manner& manner) {
    Hint hint{HintKind::while_running, "do other work, then " + manner.tool("await") + " {}; "};
    if (manner.background) {
        hint.text += "to be woken at its end: " + manner.tool("await") + " {\"ids\":[" +
                     quoted_id(job) +
                     "],\"wait_s\":" + std::to_string(manner.wait_ceiling.count() / 1000) +
                     "}, it moves to the background";
    } else {
        hint.text += "nothing wakes you";
    }
    if (job.row.spec.service) return hint;
    const jobs::Milliseconds limit{job.row.spec.runtime_limit_ms};
    hint.text += ". It is stopped at " + text::format_duration(limit) + ": " + manner.tool("send") +
                 " {\"id\":" + quoted_id(job) + ",\"runtime_limit_s\":N} gives it more";
    return hint;
}

Hint read_on_hint(const jobs::JobSnapshot& job, std::uint64_t from, const Manner& manner) {
    return {HintKind::read_on, manner.tool("output") + " {\"id\":" + quoted_id(job) +
                                   ",\"from\":" + std::to_string(from) + "}"};
}

std::optional<Hint> end_hint(const jobs::JobSnapshot& job, bool cut, const Manner& manner) {
    if (!is_bad_end(job)) return std::nullopt;
    if (job.row.exit && job.row.exit->exit_code == 127) {
        return Hint{HintKind::not_found, command_not_found_advice(job.row.spec.command)};
    }
    if (cut) return search_hint(job, manner);
    return std::nullopt;
}

}  // namespace bgshell::tools
