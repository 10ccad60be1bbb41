#include "jobs/start_job.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "jobs/argument_digest.hpp"
#include "jobs/environment.hpp"
#include "jobs/job_birth.hpp"
#include "jobs/job_follower.hpp"
#include "jobs/log_search.hpp"
#include "jobs/log_views.hpp"
#include "jobs/readiness.hpp"
#include "jobs/shell_choice.hpp"
#include "jobs/snapshot.hpp"
#include "text/quote.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using platform::Instant;

namespace {

constexpr std::size_t kMaxCommand = 1024 * 1024;
constexpr std::size_t kCommandInRegistry = 4096;
// A keeper says within milliseconds that the shell runs; a machine that is overloaded needs longer.
constexpr Milliseconds kBirthPatience{10'000};

Error bad_argument(const std::string& text) {
    return {ErrorKind::bad_argument, text + " Nothing was started."};
}

Result<void> check(const StartRequest& request) {
    if (request.command.find_first_not_of(" \t\r\n") == std::string::npos) {
        return bad_argument("command must not be empty.");
    }
    if (request.command.find('\0') != std::string::npos) {
        return bad_argument("command must not contain a NUL byte: a shell script is text.");
    }
    if (request.command.size() > kMaxCommand) {
        return bad_argument("command must be at most 1048576 bytes, got " +
                            std::to_string(request.command.size()) +
                            ". Write it to a file and run that.");
    }
    return check_env(request.env);
}

class StartCall {
  public:
    StartCall(FrontEnd& front, Caller caller, StartRequest request)
        : front_{front},
          caller_{std::move(caller)},
          request_{std::move(request)},
          called_{front.clock.now()} {}

    asio::awaitable<Result<StartOutcome>> answer() {
        auto plan = make_plan();
        if (!plan) co_return plan.error();
        std::optional<text::Pattern> pattern;
        if (request_.wait_for) {
            auto parsed = parse_pattern("wait_for", *request_.wait_for);
            if (!parsed) co_return bad_argument(parsed.error().text());
            pattern = std::move(*parsed);
        }
        auto login = co_await front_.path_probe.get();
        plan->login_path = std::move(login.path);
        if (!login.failure.empty()) facts_.push_back("no login PATH: " + login.failure);

        auto birth = co_await give_birth(front_, std::move(*plan));
        co_await asio::this_coro::throw_if_cancelled(true);
        if (!birth) co_return birth.error();
        auto accepted = accept(std::move(*birth));
        if (!accepted) co_return accepted.error();
        if (refused_) co_return std::move(*refused_);
        if (pattern) search_.emplace(job_, std::move(*pattern), 0);

        try {
            co_await wait();
            auto told = co_await tell();
            co_return StartOutcome{std::move(told)};
        } catch (const boost::system::system_error&) {
            // The caller has gone; its next answer names the job.
            front_.offers.start_cut_off(caller_.key(), job_->id());
            go_on_searching();
            throw;
        }
    }

  private:
    Result<BirthPlan> make_plan() {
        if (auto fine = check(request_); !fine) return fine.error();
        auto directory = open_working_directory(request_.cwd, front_.scope, front_.surroundings);
        if (!directory) return bad_argument(directory.error().text());
        auto shell = choose_shell(front_.settings, front_.surroundings);
        if (!shell) return bad_argument(shell.error().text());

        BirthPlan plan;
        auto& spec = plan.row.spec;
        spec.title = request_.title;
        spec.command = request_.command.substr(0, kCommandInRegistry);
        spec.cwd = directory->path;
        spec.shell = std::move(*shell);
        spec.owner = front_.owner;
        spec.scope = front_.scope;
        spec.client = front_.client;
        spec.key = request_.key;
        spec.created = front_.clock.wall();
        const auto limit = runtime_limit();
        spec.runtime_limit_ms = limit.count();
        spec.service = request_.service;
        spec.output_limit_bytes = front_.settings.output_limit_bytes;
        spec.output_limit_mode = front_.settings.output_limit_mode;
        spec.open_stdin = request_.open_stdin;
        spec.split_stderr = request_.split_stderr;
        plan.row.reserved_bytes = spec.output_limit_bytes;
        plan.row.cwd_given = request_.cwd.has_value();
        if (!request_.key.empty()) {
            plan.row.argument_digest = argument_digest(request_, spec.cwd, limit);
        }
        plan.script = request_.command;
        plan.call_environment = request_.env;
        plan.directory = std::move(*directory);
        return plan;
    }

    Milliseconds runtime_limit() {
        const auto ceiling = front_.settings.runtime_limit_max;
        const auto fallback =
            request_.service ? ceiling : std::min(front_.settings.runtime_limit, ceiling);
        const auto asked = request_.runtime_limit.value_or(fallback);
        if (asked <= ceiling) return asked;
        using Seconds = std::chrono::seconds;
        facts_.push_back("runtime_limit_s " +
                         std::to_string(std::chrono::floor<Seconds>(ceiling).count()) + ", not " +
                         std::to_string(std::chrono::floor<Seconds>(asked).count()) +
                         " (the ceiling)");
        return ceiling;
    }

    // Sets job_, or refused_.
    Result<void> accept(Birth birth) {
        if (auto* born = std::get_if<Born>(&birth)) {
            born_ = std::move(*born);
            job_ = born_.job;
            job_->conversation = caller_.conversation;
            job_->ready_pattern = request_.wait_for.value_or("");
            return {};
        }
        if (auto* taken = std::get_if<store::KeyTaken>(&birth)) return reuse(std::move(*taken));
        if (auto* full = std::get_if<store::SlotsFull>(&birth)) {
            StartRefusedSlots refused;
            refused.total = full->total;
            refused.slots = full->total ? front_.settings.slots_total : front_.settings.slots;
            for (auto& row : full->running) {
                const auto job = front_.job_of(std::move(row));
                refused.running.push_back(snapshot(front_, caller_, *job));
            }
            refused_ = StartOutcome{std::move(refused)};
            return {};
        }
        auto& full = std::get<store::BudgetFull>(birth);
        refused_ =
            StartOutcome{StartRefusedBudget{full.used_bytes, front_.settings.disk_budget_bytes,
                                            std::move(full.removable), full.removable_bytes}};
        return {};
    }

    Result<void> reuse(store::KeyTaken taken) {
        if (!taken.same_arguments) {
            const auto& spec = taken.row.spec;
            const bool same_command =
                spec.command == request_.command.substr(0, kCommandInRegistry);
            return bad_argument("key " + text::quote(request_.key) + " belongs to " +
                                spec.id.text() + ", which has " +
                                (same_command ? "other arguments." : "another command."));
        }
        reused_ = true;
        job_ = front_.job_of(std::move(taken.row));
        return {};
    }

    // Until the end, until it is ready, or for the time; in any case until its shell runs.
    asio::awaitable<void> wait() {
        if (reused_ && !job_->ended() && job_->link() == nullptr) {
            job_ = co_await attach(front_, job_);
        }
        const auto deadline = called_ + request_.wait.used();
        const auto patience = std::max(deadline, called_ + kBirthPatience);
        auto look_at = called_ + kKeeperLook;
        Waiter waiter{front_.executor, front_.clock};
        waiter.listen(job_->bell());
        for (;;) {
            const bool ended = job_->ended();
            if (search_) {
                co_await search_->advance(front_);
                if (search_->found()) break;
            }
            const auto until = job_->starting() ? patience : deadline;
            if (ended || front_.clock.now() >= until) break;
            auto next = until;
            if (job_->starting()) {
                if (front_.clock.now() >= look_at) {
                    look_at = front_.clock.now() + kKeeperLook;
                    wake_keeper(front_, *job_);
                }
                next = std::min(next, look_at);
            }
            if (search_) next = std::min(next, search_->due());
            co_await waiter.wait_until(next);
        }
        if (search_ && search_->found()) become_ready(front_, *job_);
        go_on_searching();
        if (!reused_) front_.keepers.refill_soon();
    }

    void go_on_searching() {
        if (!search_ || search_->found() || job_->ended() || reused_) return;
        if (std::exchange(handed_over_, true)) return;  // only one may advance the search
        watch_readiness(front_, job_, *search_);
    }

    asio::awaitable<StartedJob> tell() {
        StartedJob answer;
        answer.reused = reused_;
        answer.wait = request_.wait.report(called_, front_.clock.now());
        const bool ended = job_->ended();
        if (search_) {
            const auto& look = front_.looks.at(caller_.key(), job_->id());
            answer.match = search_->report(look, called_, front_.clock.now());
            answer.ready = search_->found();
            answer.not_ready = !answer.ready && !ended;
        }
        answer.first_running = !ended && !reused_;
        answer.slots_used = born_.slots_used;
        answer.slots = front_.settings.slots;
        if (born_.same_command) {
            const auto other = front_.job_of(std::move(*born_.same_command));
            // The registry may not have taken its end yet, as on a full disk.
            if (!other->ended()) answer.same_command = snapshot(front_, caller_, *other);
        }
        if (!reused_ && born_.output_limit_bytes < front_.settings.output_limit_bytes) {
            answer.reduced_output_limit = born_.output_limit_bytes;
        }
        if (!job_->holes_supported() &&
            job_->row().spec.output_limit_mode == keeper::OutputLimitMode::roll) {
            facts_.emplace_back(
                "this file system cannot punch holes: the job is stopped at its output limit");
        }
        if (ended || answer.ready) {
            auto view = co_await view_since_look(front_, caller_, job_, kViewBytes);
            if (view) {
                answer.view = std::move(*view);
            } else {
                facts_.push_back(view.error().text());
            }
        } else {
            answer.last_line = co_await last_line(front_, job_);
        }
        answer.job = co_await full_snapshot(front_, caller_, job_);
        answer.facts = std::move(facts_);
        co_return answer;
    }

    FrontEnd& front_;
    const Caller caller_;
    const StartRequest request_;
    const Instant called_;
    std::shared_ptr<Job> job_;
    Born born_;
    bool reused_ = false;
    std::optional<StartOutcome> refused_;
    std::optional<LogSearch> search_;
    bool handed_over_ = false;  // the search goes on without this call
    std::vector<std::string> facts_;
};

}  // namespace

asio::awaitable<Result<StartOutcome>> start_job(FrontEnd& front, Caller caller,
                                                StartRequest request) {
    StartCall call{front, std::move(caller), std::move(request)};
    auto answer = co_await call.answer();
    co_return answer;
}

}  // namespace bgshell::jobs
