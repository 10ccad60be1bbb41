// Jobs filled by hand, so that answers can be rendered without a manager.
#pragma once

#include <chrono>
#include <string>

#include "jobs/outcomes.hpp"
#include "tools/answer.hpp"
#include "tools/answer_budget.hpp"
#include "tools/manner.hpp"

namespace bgshell::tools::samples {

using jobs::JobSnapshot;
using jobs::JobState;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""h;

inline const Manner kPlain;  // no structure, a client without a wake-up
inline constexpr const char* kLog = "/home/user/.local/state/bgshell/jobs/k3f9x0ab/log";

inline JobSnapshot job(const std::string& id, const std::string& title,
                       const std::string& command = "make") {
    JobSnapshot job;
    keeper::JobSpec& spec = job.row.spec;
    spec.id = keeper::JobId::parse(id).value();
    spec.title = title;
    spec.command = command;
    spec.cwd = "/home/user/api";
    spec.shell = "/bin/bash";
    spec.owner = "o4x8z1qk";
    spec.scope = "/home/user/api";
    spec.created = platform::WallTime{1'796'040'251'250ms};  // 2026-11-30T12:04:11.250Z
    spec.runtime_limit_ms = 1'800'000;
    spec.output_limit_bytes = 32U << 20U;
    job.row.pid = 41522;
    job.row.cwd_given = true;
    job.log_path = kLog;
    return job;
}

inline JobSnapshot running(const std::string& id, const std::string& title,
                           jobs::Milliseconds elapsed, jobs::Milliseconds limit = 30min) {
    JobSnapshot shot = job(id, title);
    shot.row.state = JobState::running;
    shot.row.spec.runtime_limit_ms = limit.count();
    shot.elapsed = elapsed;
    shot.last_output_age = elapsed;
    return shot;
}

inline JobSnapshot ended(const std::string& id, const std::string& title, JobState state,
                         jobs::Milliseconds elapsed, std::optional<int> exit_code = std::nullopt) {
    JobSnapshot shot = job(id, title);
    shot.row.state = state;
    shot.elapsed = elapsed;
    shot.row.ended = shot.row.spec.created + elapsed;
    if (state == JobState::lost) return shot;
    keeper::ExitRecord end;
    end.id = shot.row.spec.id;
    end.state = state;
    end.exit_code = exit_code;
    end.started = shot.row.spec.created;
    end.ended = shot.row.ended;
    shot.row.exit = end;
    return shot;
}

inline JobSnapshot succeeded(const std::string& id, const std::string& title,
                             jobs::Milliseconds elapsed) {
    return ended(id, title, JobState::succeeded, elapsed, 0);
}

inline JobSnapshot failed(const std::string& id, const std::string& title,
                          jobs::Milliseconds elapsed, int exit_code) {
    return ended(id, title, JobState::failed, elapsed, exit_code);
}

inline void printed(JobSnapshot& job, std::uint64_t bytes) {
    job.bytes_produced = bytes;
    job.bytes_stored = bytes;
}

// The whole output of a job, short.
inline jobs::OutputView whole(const std::string& text) {
    jobs::OutputView view;
    view.range = {0, text.size()};
    view.next = text.size();
    view.text = text;
    return view;
}

inline std::string text_of(const Answer& answer, const NoticeText& notices = {}) {
    return compose(answer, notices, "x7q2").text;
}

}  // namespace bgshell::tools::samples
