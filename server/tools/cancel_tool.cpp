#include "tools/cancel_tool.hpp"

#include <algorithm>
#include <csignal>
#include <span>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using jobs::CancelledJob;
using jobs::CancelResult;

int signal_of(const std::string& word) {
    if (word == "INT") return SIGINT;
    if (word == "HUP") return SIGHUP;
    if (word == "KILL") return SIGKILL;
    return SIGTERM;
}

std::string short_name(int signal) {
    const std::string name = keeper::signal_name(signal);
    return name.starts_with("SIG") ? name.substr(3) : name;
}

std::string ports_text(const std::vector<std::uint16_t>& ports) {
    std::string text = ports.size() == 1 ? "port" : "ports";
    const std::size_t named = std::min(ports.size(), kNamedOfJob);
    for (std::size_t i = 0; i < named; ++i) text += " " + std::to_string(ports[i]);
    if (named < ports.size()) text += " and " + std::to_string(ports.size() - named) + " more";
    return text;
}

// "had already failed, exit code 1, after 12.4 s"
std::string earlier_end(const jobs::JobSnapshot& job) {
    switch (job.row.state) {
        case jobs::JobState::queued:
        case jobs::JobState::running:
        case jobs::JobState::succeeded:
        case jobs::JobState::failed:
        case jobs::JobState::timed_out:
            return "had already " + state_text(job);
        case jobs::JobState::cancelled:
        case jobs::JobState::lost:
            return "was already " + state_text(job);
        case jobs::JobState::output_limit:
            return "had already reached its " + state_text(job);
    }
    return {};
}

// Nobody is left who would know what of it lives.
std::string what_of_lost(const jobs::JobSnapshot& job) {
    std::string text = "; nothing was stopped: what it started may still run";
    if (job.row.pid > 1) text += " (its shell was pid " + std::to_string(job.row.pid) + ")";
    return text;
}

// The keeper that watched them is gone.
std::string what_is_unwatched(const jobs::JobSnapshot& job) {
    std::string text = "; nothing was stopped: its keeper is gone, and " +
                       counted(job.leftover_count, "leftover process", "leftover processes") +
                       " may still run, watched by nobody";
    const std::size_t named = std::min(job.leftovers.size(), kNamedOfJob);
    for (std::size_t i = 0; i < named; ++i) {
        text += (i == 0 ? ": pid " : ", ") + std::to_string(job.leftovers[i].pid);
    }
    return text;
}

// ": 5 processes gone, 2 of them by KILL after 5 s"
std::string stopped_text(const CancelledJob& cancelled, const jobs::CancelRequest& request) {
    std::string text = counted(cancelled.gone, "process", "processes") + " gone";
    if (cancelled.killed > 0 && cancelled.escalated) {
        // An earlier cancel may have had less of its grace left.
        text += ", " + std::to_string(cancelled.killed) + " of them by KILL after " +
                text::format_duration(std::min(request.grace, cancelled.took));
    } else {
        text += " in " + text::format_duration(cancelled.took);
        if (cancelled.signal_sent != 0) text += " (" + short_name(cancelled.signal_sent) + ")";
    }
    return text;
}

std::string leftovers_text(std::uint32_t gone) {
    if (gone == 0) return "nothing of it was left";
    return counted(gone, "leftover process", "leftover processes") + " gone";
}

std::string line_of(const CancelledJob& cancelled, const jobs::CancelRequest& request) {
    const jobs::JobSnapshot& job = cancelled.job;
    std::string line = job_name(job) + " ";
    switch (cancelled.result) {
        case CancelResult::ended:
            line += state_text(job) + ": " + stopped_text(cancelled, request);
            break;
        case CancelResult::already_ended:
            line += earlier_end(job);
            if (job.row.state == jobs::JobState::lost) line += what_of_lost(job);
            if (job.unwatched()) line += what_is_unwatched(job);
            break;
        case CancelResult::leftovers_ended:
            line += earlier_end(job) + "; " + leftovers_text(cancelled.gone);
            break;
        case CancelResult::survivors:
            line += state_text(job) + ", but ";
            line +=
                cancelled.survivors.empty()
                    ? "its keeper did not answer: nothing is proven to be gone"
                    : counted(cancelled.survivors.size(), "process survives", "processes survive");
            break;
    }
    if (!cancelled.ports_free.empty()) line += ", " + ports_text(cancelled.ports_free) + " free";
    if (cancelled.removed) {
        line += ", record and log removed";
    } else if (request.remove && cancelled.result != CancelResult::survivors) {
        line += cancelled.log_removed ? ", log removed, record kept: " : ", record and log kept: ";
        line += cancelled.removal_failure.empty() ? std::string{"its keeper still runs"}
                                                  : cancelled.removal_failure;
    }
    const bool lists = !cancelled.survivors.empty();
    if (!lists && !cancelled.ports_in_use.empty()) {
        line += ", " + ports_text(cancelled.ports_in_use) + " still in use by another process";
    }
    return lists ? line + ":" : line;
}

std::string survival_text(keeper::Survival survival) {
    switch (survival) {
        case keeper::Survival::refused:
            return ": not permitted to signal it";
        case keeper::Survival::in_kernel:
            return ": waits in the kernel, as on a disk, and ends when that is over";
        case keeper::Survival::unknown:
            break;
    }
    return ": still there after KILL";
}

std::span<const jobs::ProcessName> named_survivors(const CancelledJob& cancelled) {
    return std::span{cancelled.survivors}.first(std::min(cancelled.survivors.size(), kNamedOfJob));
}

std::vector<std::string> survivor_lines(const CancelledJob& cancelled) {
    std::vector<std::string> lines;
    for (const jobs::ProcessName& process : named_survivors(cancelled)) {
        const std::string command = text::quote(process.command);
        std::string line =
            std::to_string(process.pid) + " " + command.substr(1, command.size() - 2);
        if (!process.user.empty()) line += ", user " + process.user;
        line += survival_text(process.survival);
        if (cancelled.survivors.size() == 1 && !cancelled.ports_in_use.empty()) {
            line += "; holds " + ports_text(cancelled.ports_in_use);
        }
        lines.push_back(std::move(line));
    }
    if (cancelled.survivors.size() > kNamedOfJob) {
        lines.push_back("and " + std::to_string(cancelled.survivors.size() - kNamedOfJob) +
                        " more");
    }
    if (cancelled.survivors.size() > 1 && !cancelled.ports_in_use.empty()) {
        lines.push_back("still in use: " + ports_text(cancelled.ports_in_use));
    }
    return lines;
}

json::object structure_of(const CancelledJob& cancelled) {
    json::object job = job_object(cancelled.job);
    switch (cancelled.result) {
        case CancelResult::ended:
            job["outcome"] = "ended";
            break;
        case CancelResult::already_ended:
            job["outcome"] = "already_ended";
            break;
        case CancelResult::leftovers_ended:
            job["outcome"] = "leftovers_ended";
            break;
        case CancelResult::survivors:
            job["outcome"] = "survivors";
            break;
    }
    if (cancelled.signal_sent != 0) job["signal_sent"] = keeper::signal_name(cancelled.signal_sent);
    if (cancelled.escalated) job["escalated"] = true;
    if (!cancelled.survivors.empty()) job["survivors"] = process_array(cancelled.survivors);
    if (!cancelled.ports_in_use.empty()) {
        json::array ports;
        for (const std::uint16_t port : cancelled.ports_in_use) {
            if (ports.size() < kNamedOfJob) ports.emplace_back(port);
        }
        job["ports_in_use"] = std::move(ports);
    }
    return job;
}

}  // namespace

jobs::Result<jobs::CancelRequest> read_cancel(const Arguments& arguments, const Manner& manner) {
    jobs::CancelRequest request;
    request.ids = arguments.texts("ids");
    if (request.ids.empty()) {
        return jobs::Error{jobs::ErrorKind::bad_argument,
                           "ids is required: the jobs to stop; there is no \"all\". " +
                               manner.tool("list") + " {} shows them. Nothing was stopped."};
    }
    request.signal = signal_of(arguments.text("signal"));
    if (const auto grace = arguments.find_seconds("grace_s")) request.grace = *grace;
    request.remove = arguments.flag("remove");
    return request;
}

Answer render_cancel(const jobs::CancelOutcome& outcome, const jobs::CancelRequest& request,
                     const Manner& manner) {
    Answer answer;
    answer.several = outcome.jobs.size() > 1;
    json::array jobs;
    std::string pids;
    for (const CancelledJob& cancelled : outcome.jobs) {
        const jobs::JobId& id = cancelled.job.row.spec.id;
        answer.lines.push_back(line_of(cancelled, request));
        for (std::string& line : survivor_lines(cancelled)) answer.lines.push_back(std::move(line));
        for (const jobs::ProcessName& process : named_survivors(cancelled)) {
            if (process.survival == keeper::Survival::refused) {
                pids += " " + std::to_string(process.pid);
            }
        }
        answer.is_error = answer.is_error || cancelled.result == CancelResult::survivors;
        if (keeper::is_ended(cancelled.job.row.state)) answer.stated.push_back(id);
        if (!cancelled.last_lines.empty()) {
            answer.outputs.push_back({id, {"last lines (untrusted)", cancelled.last_lines}});
        }
        jobs.push_back(structure_of(cancelled));
    }
    if (outcome.omitted > 0) {
        answer.lines.push_back("and " + std::to_string(outcome.omitted) + " more (" +
                               manner.tool("list") + ")");
    }
    if (!pids.empty()) {
        answer.facts.push_back("next: ask the user to end " +
                               std::string{pids.find(' ', 1) == pids.npos ? "it" : "them"} +
                               ": sudo kill" + pids);
    }
    answer.structure["jobs"] = std::move(jobs);
    return answer;
}

}  // namespace bgshell::tools
