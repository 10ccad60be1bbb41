#include "keeper/running_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "keeper/deadline.hpp"
#include "platform/listening_ports.hpp"
#include "platform/pidfd.hpp"
#include "platform/process_tree.hpp"

namespace bgshell::keeper {
namespace {

using platform::Instant;
using platform::Milliseconds;

// Looking at each leftover is dear; those that come and go quickly are looked at together.
constexpr Milliseconds kSurveyPause{100};
// Ports are read before the first signal, so the time for it is bounded.
constexpr std::size_t kMaxPortProcesses = 256;

std::vector<std::uint16_t> ports_below(pid_t root) {
    std::vector<pid_t> pids;
    platform::walk_below(root, [&](const platform::ProcessFacts& process) {
        pids.push_back(process.pid);
        return pids.size() < kMaxPortProcesses;
    });
    return platform::listening_ports(pids);
}

// What stopped the leftovers, as after.json has it.
std::string stopper(const StopCause& cause) {
    if (cause.state == JobState::timed_out) return "runtime limit";
    if (cause.state == JobState::output_limit) return "output limit";
    return cause.reason == "user" || cause.reason.empty() ? "cancel" : cause.reason;
}

}  // namespace

std::unique_ptr<RunningJob> RunningJob::start(const StartOrder& order, int job_directory,
                                              int working_directory, const platform::Clock& clock,
                                              std::unique_ptr<Capture> capture,
                                              FromKeeper& answer) {
    std::unique_ptr<RunningJob> job{new RunningJob{order, clock}};
    RecordWriter records{job_directory};
    std::optional<StartFailed> failure;
    std::optional<LogWriter> log;
    if (const auto error = records.reserve()) {
        failure = StartFailed{.error = error.value(), .what = "write exit.tmp"};
    } else if (auto made = LogWriter::create(job_directory, order.output_limit_mode,
                                             order.output_limit_bytes)) {
        log = std::move(*made);
        auto started = start_job(order, working_directory);
        if (auto* process = std::get_if<JobProcess>(&started)) {
            job->process_ = std::move(*process);
        } else {
            failure = std::move(std::get<StartFailed>(started));
        }
    } else {
        failure = StartFailed{.error = made.error().value(), .what = "create the log"};
    }

    const bool holes = !log || log->mode() == order.output_limit_mode;
    job->capture_ = std::move(capture);
    job->capture_->begin(std::move(job->process_.output), std::move(log), std::move(records));
    if (failure) {
        job->end_unstarted(*failure);
        answer = std::move(*failure);
        return job;
    }
    job->shell_lives_ = true;
    job->input_ = StdinFeed{std::move(job->process_.input)};
    answer = Started{.shell_pid = job->process_.pid,
                     .started_wall_ms = job->started_wall_.time_since_epoch().count(),
                     .holes_supported = holes};
    return job;
}

RunningJob::RunningJob(const StartOrder& order, const platform::Clock& clock)
    : clock_{clock},
      id_{order.id},
      kill_grace_{order.kill_grace_ms},
      input_{platform::UniqueFd{}},
      started_{clock.now()},
      started_wall_{clock.wall()},
      killer_{::getpid()} {
    set_runtime_limit(bounded_milliseconds(order.runtime_limit_ms));
}

void RunningJob::end_unstarted(const StartFailed& failure) {
    ExitRecord draft = draft_record();
    draft.state = JobState::failed;
    draft.error = failure.what + ": " + platform::errno_code(failure.error).message();
    phase_ = Phase::ending;
    childless_ = true;
    capture_->shell_ended(std::move(draft), Capture::Below::nothing);
}

void RunningJob::set_runtime_limit(Milliseconds limit) {
    runtime_deadline_ = clock_.now() + limit;
}

void RunningJob::stop(const StopCause& cause) {
    stop(cause, SIGTERM, kill_grace_);
}

void RunningJob::stop(const StopCause& cause, int signal, Milliseconds grace,
                      std::optional<Peer> peer) {
    // A shell that is dead already has ended by itself.
    reap();
    const Instant now = clock_.now();
    if (peer) {
        requesters_.push_back(
            {.peer = *peer, .since = now, .had_ended = !shell_lives_, .ports = {}});
        if (!childless_) requesters_.back().ports = ports_below(::getpid());
    }
    if (!cause_) cause_ = cause;
    host_stops_ = host_stops_ || cause.reason == kHostStop;
    stop_.request(signal, grace, now);
    run_stop(now);
}

void RunningJob::add_polls(std::vector<pollfd>& items) const {
    const auto add = [&](int fd, short events) {
        if (fd >= 0) items.push_back({.fd = fd, .events = events, .revents = 0});
    };
    if (shell_lives_) add(process_.pidfd.get(), POLLIN);
    add(capture_->wake_fd(), POLLIN);
    add(input_.poll_fd(), POLLOUT);
}

std::optional<Instant> RunningJob::wake() const {
    std::optional<Instant> earliest = runtime_deadline_;
    keep_earlier(earliest, stop_.wake());
    if (phase_ == Phase::ended) keep_earlier(earliest, survey_at_);
    return earliest;
}

void RunningJob::advance() {
    reap();
    Capture::Events events = capture_->take_events();
    if (events.recorded) on_recorded(std::move(*events.recorded));
    if (events.limit_reached) stop({.state = JobState::output_limit, .reason = {}});
    const Instant now = clock_.now();
    if (runtime_deadline_ && now >= *runtime_deadline_) {
        runtime_deadline_.reset();
        stop({.state = JobState::timed_out, .reason = {}});
    }
    run_stop(now);
    survey(now);
    finish_if_done();
    input_.advance();
    if (events.finished) phase_ = Phase::finished;
}

void RunningJob::reap() {
    reap_all();
    if (auto draft = std::exchange(exit_draft_, {})) {
        const bool natural = childless_ && !cause_;
        capture_->shell_ended(std::move(*draft),
                              natural ? Capture::Below::nothing : Capture::Below::something);
    }
}

// The one place that reaps. The shell by its pidfd, so that its status can never be lost.
void RunningJob::reap_all() {
    const auto reap_shell = [&] {
        if (!shell_lives_) return;
        const auto status = platform::reap(process_.pidfd.get(), platform::Wait::not_at_all);
        if (status && *status) on_shell_exit(**status);
    };
    reap_shell();
    for (;;) {
        const auto child = platform::peek_any_child();
        childless_ = !child;  // ECHILD
        if (!child || *child == 0) return;
        if (shell_lives_ && *child == process_.pid) {
            reap_shell();
        } else {
            (void)platform::reap_pid(*child, platform::Wait::not_at_all);
        }
        const Instant now = clock_.now();
        stop_.hurry(now);
        if (phase_ != Phase::running && !survey_at_) survey_at_ = now + kSurveyPause;
    }
}

void RunningJob::on_shell_exit(const platform::ExitStatus& status) {
    shell_lives_ = false;
    phase_ = Phase::ending;
    input_.close();
    ExitRecord draft = draft_record();
    if (const auto* exited = std::get_if<platform::Exited>(&status)) {
        draft.exit_code = exited->code;
        draft.state = exited->code == 0 ? JobState::succeeded : JobState::failed;
    } else {
        draft.signal = std::get<platform::Signalled>(status).signal;
        draft.state = JobState::failed;
    }
    if (cause_) {
        draft.state = cause_->state;
        draft.reason = cause_->reason;
        draft.by_person = cause_->by_person;
    }
    exit_draft_ = std::move(draft);
}

ExitRecord RunningJob::draft_record() const {
    ExitRecord draft;
    draft.id = id_;
    draft.started = started_wall_;
    draft.ended = clock_.wall();
    draft.elapsed_ms = std::chrono::floor<Milliseconds>(clock_.now() - started_).count();
    return draft;
}

void RunningJob::on_recorded(Capture::Recorded recorded) {
    phase_ = Phase::ended;
    record_ = std::move(recorded.record);
    announcements_.push_back({.to = {}, .message = Ended{*record_}});
    leftovers_.update(std::move(recorded.leftovers), false);
    if (!leftovers_.empty()) {
        announcements_.push_back({.to = {}, .message = leftovers_.message()});
    }
}

void RunningJob::run_stop(Instant now) {
    if (!stop_.active()) return;
    switch (childless_ ? StopSequence::Step::none : stop_.due(now)) {
        case StopSequence::Step::none:
            break;
        case StopSequence::Step::polite:
            (void)killer_.ask(stop_.polite_signal());
            stop_.polite_sent();
            break;
        case StopSequence::Step::kill: {
            const auto pass = killer_.kill();
            stop_.pass_done(pass.alive, pass.refused, now);
            break;
        }
    }
    if (childless_) stop_.nothing_left();
    if (!stop_.active() || stop_.lingering()) answer_stop(now);
}

void RunningJob::answer_stop(Instant now) {
    if (!requesters_.empty()) {
        const auto count = killer_.count();
        for (Requester& requester : requesters_) {
            const auto elapsed = std::chrono::floor<Milliseconds>(now - requester.since);
            announcements_.push_back(
                {.to = requester.peer,
                 .message = Stopped{.gone = count.gone,
                                    .killed = count.killed,
                                    .elapsed_ms = static_cast<std::uint32_t>(elapsed.count()),
                                    .had_ended = requester.had_ended,
                                    .ports = std::move(requester.ports),
                                    .survivors = count.survivors}});
        }
        requesters_.clear();
    }
    if (!stop_.active()) killer_.forget();
}

void RunningJob::survey(Instant now) {
    if (!survey_at_ || phase_ != Phase::ended) return;
    if (!childless_ && now < *survey_at_) return;
    survey_at_.reset();
    auto living = childless_ ? std::vector<LivingProcess>{} : living_below(::getpid());
    if (leftovers_.update(std::move(living), cause_.has_value())) {
        announcements_.push_back({.to = {}, .message = leftovers_.message()});
    }
}

void RunningJob::finish_if_done() {
    // A host that stops does not wait for survivors; otherwise they keep the job's slot.
    const bool abandons = host_stops_ && stop_.lingering();
    if (phase_ != Phase::ended || !(childless_ || abandons)) return;
    phase_ = Phase::finishing;
    AfterRecord last;
    last.id = id_;
    last.ended = clock_.wall();
    last.leftovers = leftovers_.fates();
    const bool by_us = std::ranges::any_of(last.leftovers, [](const AfterRecord::Fate& fate) {
        return fate.fate != LeftoverFate::exited;
    });
    if (cause_ && by_us) last.leftovers_stopped_by = stopper(*cause_);
    capture_->finish(std::move(last));
}

std::vector<FromKeeper> RunningJob::present_state() const {
    std::vector<FromKeeper> messages;
    const auto now = level();
    messages.push_back(Grew{.bytes_produced = now.produced, .bytes_stored = now.stored});
    if (record_) {
        messages.push_back(Ended{*record_});
        if (!leftovers_.empty()) messages.push_back(leftovers_.message());
    }
    return messages;
}

}  // namespace bgshell::keeper
