#include "tools/job_line.hpp"

#include <csignal>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "text/title.hpp"
#include "tools/exit_code_meaning.hpp"

namespace bgshell::tools {
namespace {

using jobs::JobSnapshot;
using jobs::JobState;
using text::format_duration;

std::string after(const JobSnapshot& job) {
    return "after " + format_duration(job.elapsed);
}

std::string limit(const JobSnapshot& job) {
    return format_duration(jobs::Milliseconds{job.row.spec.runtime_limit_ms});
}

std::optional<std::string> answer_of(const JobSnapshot& job) {
    const auto& end = job.row.exit;
    if (job.row.state != JobState::failed || !end || !end->exit_code) return std::nullopt;
    return answer_in_exit_code(job.row.spec.command, *end->exit_code, job.bytes_produced == 0);
}

std::string failed_text(const JobSnapshot& job) {
    if (!job.row.exit) return "failed " + after(job);
    const keeper::ExitRecord& end = *job.row.exit;
    if (!end.error.empty()) {
        const std::string reason = text::quote(end.error);
        return "failed to start: " + reason.substr(1, reason.size() - 2);
    }
    std::string how;
    if (end.signal && end.out_of_memory) {
        how = "out of memory (SIGKILL by the kernel)";
    } else if (end.signal) {
        how = keeper::signal_name(*end.signal);
        if (*end.signal == SIGKILL) how += " by an unknown sender";
    } else {
        const int code = end.exit_code.value_or(0);
        how = "exit code " + std::to_string(code);
        std::optional<std::string> meaning = answer_of(job);
        if (!meaning) meaning = signal_in_exit_code(code);
        if (meaning) how += " (" + *meaning + ")";
    }
    return "failed, " + how + ", " + after(job);
}

std::string cancelled_text(const JobSnapshot& job) {
    const std::string reason = job.row.exit ? job.row.exit->reason : "";
    if (job.row.exit && job.row.exit->by_person) return "cancelled by the user " + after(job);
    if (reason == "session_end") return "cancelled at its session's end, " + after(job);
    if (reason == "host_stop") return "cancelled as the host stopped, " + after(job);
    return "cancelled " + after(job);
}

std::string capture_cause(const JobSnapshot& job) {
    std::string cause;
    if (job.row.after && !job.row.after->capture_complete) {
        cause = job.row.after->capture_cause;
    } else if (job.row.exit && !job.row.exit->capture_complete) {
        cause = job.row.exit->capture_cause;
    } else {
        return {};
    }
    return ", capture incomplete: " + (cause.empty() ? std::string{"unknown cause"} : cause);
}

std::string unread_text(const JobSnapshot& job) {
    const bool running = !keeper::is_ended(job.row.state);
    if (running && job.bytes_produced == 0) return ", no output yet (0 bytes)";
    if (job.unread_lines.value_or(0) > 0) {
        return ", +" + counted(*job.unread_lines, "line", "lines");
    }
    if (job.unread_bytes > 0) {
        const std::string bytes = ", +" + counted(job.unread_bytes, "byte", "bytes");
        return running && job.unread_lines ? bytes + ", no full line" : bytes;
    }
    if (running && job.last_output_age) {
        return ", no new output for " + format_duration(*job.last_output_age);
    }
    return {};
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + " " + std::string{count == 1 ? one : many};
}

std::string title_of(const JobSnapshot& job) {
    const keeper::JobSpec& spec = job.row.spec;
    return spec.title.empty() ? text::title_of(spec.command) : spec.title;
}

std::string job_name(const JobSnapshot& job) {
    return job.row.spec.id.text() + " " + text::quote(title_of(job));
}

std::string state_text(const JobSnapshot& job) {
    switch (job.row.state) {
        case JobState::queued:
            return "queued";
        case JobState::running:
            return "running " + format_duration(job.elapsed) + " of " + limit(job);
        case JobState::succeeded:
            return "succeeded " + after(job);
        case JobState::failed:
            return failed_text(job);
        case JobState::cancelled:
            return cancelled_text(job);
        case JobState::timed_out:
            return "timed out: stopped at its limit of " + limit(job);
        case JobState::output_limit:
            return "output limit: stopped after " + counted(job.bytes_produced, "byte", "bytes") +
                   ", " + after(job);
        case JobState::lost:
            return "lost: its keeper vanished, exit unknown";
    }
    return {};
}

std::string news_text(const JobSnapshot& job, Unread unread) {
    std::string news;
    if (job.row.state == JobState::running && job.row.ready) news += ", ready";
    if (unread == Unread::told) news += unread_text(job);
    if (job.leftover_count > 0) {
        news += ", " + counted(job.leftover_count, "leftover process", "leftover processes");
        if (job.unwatched()) news += " that nobody watches";
    }
    return news + capture_cause(job);
}

std::string no_output_text(const JobSnapshot& job) {
    if (job.bytes_produced == 0) return ", no output";
    return job.unread_bytes == 0 ? ", no new output" : "";
}

std::string list_line(const JobSnapshot& job) {
    std::string line = job.row.spec.id.text() + " " + state_text(job);
    if (keeper::is_ended(job.row.state)) {
        line += ", " + format_duration(job.ended_age) + " ago";
        line += news_text(job, Unread::left_out);
        if (job.unread_end || job.unread_bytes > 0) line += ", unread";
    } else {
        line += news_text(job, Unread::told);
    }
    if (job.earlier_session) {
        line += ", earlier session";
    } else if (!job.own) {
        line += ", another session";
    }
    return line + "  " + text::quote(title_of(job));
}

std::string result_word(const JobSnapshot& job) {
    switch (job.row.state) {
        case JobState::queued:
            return "queued";
        case JobState::running:
            return "running";
        case JobState::succeeded:
            return "ok";
        case JobState::failed:
            if (!job.row.exit) return "failed";
            if (job.row.exit->signal) return keeper::signal_name(*job.row.exit->signal);
            if (job.row.exit->exit_code) return "exit " + std::to_string(*job.row.exit->exit_code);
            return "failed to start";
        case JobState::cancelled:
            return "cancelled";
        case JobState::timed_out:
            return "timed out";
        case JobState::output_limit:
            return "output limit";
        case JobState::lost:
            return "lost";
    }
    return {};
}

bool is_bad_end(const JobSnapshot& job) {
    switch (job.row.state) {
        case JobState::failed:
            return !answer_of(job);
        case JobState::timed_out:
        case JobState::output_limit:
        case JobState::lost:
            return true;
        case JobState::queued:
        case JobState::running:
        case JobState::succeeded:
        case JobState::cancelled:
            return false;
    }
    return false;
}

}  // namespace bgshell::tools
