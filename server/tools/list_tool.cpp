#include "tools/list_tool.hpp"

#include <algorithm>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "tools/job_facts.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using jobs::ListOutcome;

std::uint64_t shown_ended(const ListOutcome& outcome) {
    return static_cast<std::uint64_t>(std::count_if(
        outcome.jobs.begin(), outcome.jobs.end(),
        [](const jobs::JobSnapshot& job) { return keeper::is_ended(job.row.state); }));
}

std::string header(const ListOutcome& outcome) {
    const std::uint64_t ended = shown_ended(outcome);
    const std::uint64_t running = outcome.jobs.size() - ended;
    std::string text;
    if (running < outcome.running_total) text += std::to_string(running) + " of ";
    text += std::to_string(outcome.running_total) + " running (" +
            std::to_string(outcome.slots_used) + " of " + std::to_string(outcome.slots) +
            " slots), ";
    if (ended < outcome.ended_total) text += std::to_string(ended) + " of ";
    return text + std::to_string(outcome.ended_total) + " ended; logs " +
           std::to_string((outcome.disk_used_bytes + kMebibyte - 1) / kMebibyte) + " of " +
           std::to_string(outcome.disk_budget_bytes / kMebibyte) + " MiB";
}

void add_details(const jobs::JobSnapshot& job, const Manner& manner,
                 std::vector<std::string>& lines) {
    const keeper::JobSpec& spec = job.row.spec;
    const bool ended = keeper::is_ended(job.row.state);
    lines.push_back(job_name(job) + " " + state_text(job) + news_text(job, Unread::told));
    lines.push_back((job.row.pid > 0 && !ended ? "pid " + std::to_string(job.row.pid) + ", " : "") +
                    "cwd " + path_text(spec.cwd) + ", shell " + path_text(spec.shell) + ", " +
                    log_fact(job, nullptr, manner));
    std::string times = "created " + rfc3339(spec.created);
    if (ended) times += ", ended " + rfc3339(job.row.ended);
    times += ", limit " + text::format_duration(jobs::Milliseconds{spec.runtime_limit_ms}) +
             ", output " + counted(job.bytes_produced, "byte", "bytes");
    if (job.bytes_stored != job.bytes_produced) {
        times += " (" + std::to_string(job.bytes_stored) + " stored)";
    }
    lines.push_back(times + " of at most " + std::to_string(spec.output_limit_bytes));
    add(lines, leftovers_fact(job));
    lines.push_back("command: " + text::quote(spec.command, 1000));
}

}  // namespace

jobs::ListRequest read_list(const Arguments& arguments) {
    jobs::ListRequest request;
    request.ids = arguments.texts("ids");
    const std::string state = arguments.text("state");
    if (state == "running") request.state = jobs::ListState::running;
    if (state == "ended") request.state = jobs::ListState::ended;
    if (const auto limit = arguments.find_whole("limit")) {
        request.limit = static_cast<std::uint32_t>(*limit);
    }
    return request;
}

Answer render_list(const ListOutcome& outcome, const Manner& manner) {
    Answer answer;
    if (!outcome.details && outcome.running_total + outcome.ended_total == 0) {
        answer.lines.push_back("No jobs. " + manner.tool("start") +
                               " {\"command\":\"…\"} runs one.");
    } else if (!outcome.details) {
        answer.lines.push_back(header(outcome));
    }
    for (const jobs::JobSnapshot& job : outcome.jobs) {
        if (outcome.details) {
            add_details(job, manner, answer.lines);
        } else {
            answer.lines.push_back(list_line(job));
        }
        if (keeper::is_ended(job.row.state)) answer.stated.push_back(job.row.spec.id);
    }
    if (outcome.details && outcome.omitted > 0) {
        answer.lines.push_back("and " + std::to_string(outcome.omitted) + " more");
    }
    if (!manner.structure) return answer;
    json::array jobs;
    for (const jobs::JobSnapshot& job : outcome.jobs) {
        jobs.push_back(job_object(job, outcome.details ? CommandText::whole : CommandText::cut));
    }
    answer.structure["jobs"] = std::move(jobs);
    json::object totals;
    totals["running"] = outcome.running_total;
    totals["ended"] = outcome.ended_total;
    totals["omitted"] = outcome.omitted;
    answer.structure["totals"] = std::move(totals);
    json::object limits;
    limits["slots"] = outcome.slots;
    limits["slots_used"] = outcome.slots_used;
    limits["disk_budget_bytes"] = outcome.disk_budget_bytes;
    limits["disk_used_bytes"] = outcome.disk_used_bytes;
    answer.structure["limits"] = std::move(limits);
    return answer;
}

}  // namespace bgshell::tools
