#include "tools/start_tool.hpp"

#include "text/duration.hpp"
#include "text/utf8.hpp"
#include "tools/job_facts.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"
#include "tools/wait_text.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using jobs::Milliseconds;
using jobs::StartedJob;
using text::format_duration;

constexpr std::size_t kLongestTitle = 200;  // characters
constexpr std::size_t kLongestKey = 200;
constexpr Milliseconds kDefaultWait{2000};

std::string first_running_fact(const StartedJob& started, const Manner& manner) {
    const jobs::JobSnapshot& job = started.job;
    std::string fact;
    if (job.row.pid > 0) fact += "pid " + std::to_string(job.row.pid) + ", ";
    if (!job.row.cwd_given) fact += "cwd " + path_text(job.row.spec.cwd) + ", ";
    return fact + std::to_string(started.slots_used) + " of " + std::to_string(started.slots) +
           " slots, " + log_fact(job, shown(started.view), manner);
}

void tell_end(const StartedJob& started, const Manner& manner, Answer& answer) {
    const jobs::JobSnapshot& job = started.job;
    const bool cut = started.view && is_cut(*started.view);
    add(answer.facts, end_fact(job, shown(started.view), manner));
    answer.stated.push_back(job.row.spec.id);
    answer.is_error = is_bad_end(job);
    answer.hint = end_hint(job, cut, manner);
}

Answer render(const StartedJob& started, const Manner& manner) {
    const jobs::JobSnapshot& job = started.job;
    const bool ended = keeper::is_ended(job.row.state);
    Answer answer;
    std::string line = job.row.spec.id.text() + " ";
    if (started.reused) line += "REUSED, nothing was run: ";
    line += state_text(job);
    std::optional<OutputBlock> block;
    if (started.view) block = output_block(job, *started.view, Reading::since_look);
    line += news_text(job, ended || block ? Unread::left_out : Unread::told);
    if (ended && !block) line += no_output_text(job);
    if (!ended && !started.ready && was_cut(started.wait)) {
        line += " (" + wait_text(started.wait, manner.tool("await")) + ")";
    }
    answer.lines.push_back(std::move(line));

    if (started.not_ready && !ended) {
        answer.facts.push_back("not ready after " + format_duration(started.wait.waited) +
                               ": no line matches wait_for");
    }
    if (ended) {
        tell_end(started, manner, answer);
    } else if (started.first_running) {
        answer.facts.push_back(first_running_fact(started, manner));
        if (!started.ready) answer.hint = running_hint(job, manner);
    } else {
        add(answer.facts, cut_fact(job, shown(started.view), manner));
    }
    if (started.same_command) {
        const jobs::JobSnapshot& twin = *started.same_command;
        answer.facts.push_back("note: " + job_name(twin) + " runs the same command here since " +
                               format_duration(twin.elapsed));
    }
    if (started.reduced_output_limit > 0) {
        answer.facts.push_back("output limit " + mebibytes_text(started.reduced_output_limit) +
                               " (budget nearly used)");
    }
    for (std::string& fact : match_facts(started.match)) answer.facts.push_back(std::move(fact));
    answer.facts.insert(answer.facts.end(), started.facts.begin(), started.facts.end());
    add(answer.facts, leftovers_fact(job));
    if (started.view) add(answer.facts, view_facts(job, *started.view));

    if (block) {
        answer.outputs.push_back({job.row.spec.id, std::move(*block)});
    } else if (!ended && !started.last_line.empty()) {
        answer.quotes.push_back(last_line_quote(started.last_line));
    }
    answer.structure["job"] = job_object(job);
    if (started.reused) answer.structure["reused"] = true;
    if (started.view) answer.structure["output"] = output_object(*started.view);
    return answer;
}

Answer render(const jobs::StartRefusedSlots& refused, const Manner& manner) {
    Answer answer;
    answer.lines.push_back(
        "Not started: all " + std::to_string(refused.slots) + " slots " +
        (refused.total ? "of this state directory are taken:" : "are taken by your jobs:"));
    json::array jobs;
    for (const jobs::JobSnapshot& job : refused.running) {
        answer.lines.push_back(list_line(job));
        jobs.push_back(job_object(job));
    }
    if (refused.running.size() < refused.slots) {
        answer.lines.push_back("and " + std::to_string(refused.slots - refused.running.size()) +
                               " more");
    }
    answer.lines.push_back("next: " + manner.tool("await") + " {} or " + manner.tool("cancel") +
                           " one");
    if (!jobs.empty()) answer.structure["jobs"] = std::move(jobs);
    answer.is_error = true;
    return answer;
}

Answer render(const jobs::StartRefusedBudget& refused, const Manner& manner) {
    Answer answer;
    std::string line = "Not started: your logs use " +
                       std::to_string((refused.used_bytes + kMebibyte - 1) / kMebibyte) + " of " +
                       std::to_string(refused.budget_bytes / kMebibyte) + " MiB";
    if (refused.removable.empty()) {
        line += ", none of an ended job that was read. next: " + manner.tool("list") +
                " {}, then read or " + manner.tool("cancel") + " one";
    } else {
        line += ". next: " + manner.tool("cancel") + " {\"ids\":[";
        for (const jobs::JobId& id : refused.removable) {
            if (&id != &refused.removable.front()) line += ",";
            line += "\"" + id.text() + "\"";
        }
        line += "],\"remove\":true} frees " +
                mebibytes_text(refused.removable_bytes >= kMebibyte
                                   ? refused.removable_bytes / kMebibyte * kMebibyte
                                   : refused.removable_bytes) +
                " of ended, read logs";
    }
    answer.lines.push_back(std::move(line));
    answer.is_error = true;
    return answer;
}

}  // namespace

jobs::Result<jobs::StartRequest> read_start(const Arguments& arguments, const Manner& manner,
                                            std::vector<std::string>& facts) {
    jobs::StartRequest request;
    request.command = arguments.text("command");
    request.title = arguments.text("title");
    if (const std::string_view cut = text::first_characters(request.title, kLongestTitle);
        cut.size() < request.title.size()) {
        request.title.resize(cut.size());
        facts.push_back("title cut to 200 characters");
    }
    request.cwd = arguments.find_text("cwd");
    request.env = arguments.texts("env");
    request.wait = {arguments.find_seconds("wait_s").value_or(kDefaultWait), manner.wait_ceiling};
    request.wait_for = arguments.find_text("wait_for");
    request.runtime_limit = arguments.find_seconds("runtime_limit_s");
    request.service = arguments.flag("service");
    request.open_stdin = arguments.flag("open_stdin");
    request.split_stderr = arguments.flag("split_stderr");
    request.key = arguments.text("key");
    if (request.key.size() > kLongestKey) {
        return jobs::Error{
            jobs::ErrorKind::bad_argument,
            "key must be at most 200 bytes, got " + std::to_string(request.key.size()) + "."};
    }
    return request;
}

Answer render_start(const jobs::StartOutcome& outcome, const Manner& manner) {
    return std::visit([&](const auto& known) { return render(known, manner); }, outcome);
}

}  // namespace bgshell::tools
