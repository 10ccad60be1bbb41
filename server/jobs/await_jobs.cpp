#include "jobs/await_jobs.hpp"

#include <algorithm>
#include <utility>

#include "jobs/await_rule.hpp"
#include "jobs/job_follower.hpp"
#include "jobs/job_names.hpp"
#include "jobs/log_search.hpp"
#include "jobs/log_views.hpp"
#include "jobs/snapshot.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using platform::Instant;

namespace {

// What an answer may carry of ends: shared by them, but something of each.
constexpr std::uint32_t kEndBytes = 8000;
constexpr std::uint32_t kLeastEndBytes = 1000;

struct Awaited {
    std::shared_ptr<Job> job;
    std::optional<LogSearch> search;  // of this call's wait_for
    bool ran = false;                 // when the call came
};

class AwaitCall {
  public:
    AwaitCall(FrontEnd& front, Caller caller, AwaitRequest request)
        : front_{front},
          caller_{std::move(caller)},
          request_{std::move(request)},
          called_{front.clock.now()} {}

    asio::awaitable<Result<AwaitOutcome>> answer() {
        std::optional<text::Pattern> pattern;
        if (request_.wait_for) {
            auto parsed = parse_pattern("wait_for", *request_.wait_for);
            if (!parsed) co_return parsed.error();
            pattern = std::move(*parsed);
        }
        auto gathered = co_await gather();
        if (!gathered) co_return gathered.error();
        for (auto& awaited : jobs_) {
            awaited.ran = !awaited.job->ended();
            if (!pattern) continue;
            const auto& look = front_.looks.at(caller_.key(), awaited.job->id());
            awaited.search.emplace(awaited.job, *pattern, look.search_from());
        }
        co_await wait();
        auto told = co_await outcome();
        co_return told;
    }

  private:
    asio::awaitable<Result<void>> gather() {
        if (request_.ids.empty()) {
            gather_own();
            co_return Result<void>{};
        }
        auto found = co_await find_jobs(front_, request_.ids, Titles::accepted);
        if (!found) co_return found.error();
        for (auto& job : *found) {
            const bool followed = job->link() != nullptr || front_.owns(*job);
            if (!job->ended() && !followed) job = co_await attach(front_, job);
            const auto looked = co_await front_.load_look(caller_.key(), job);
            if (!looked) co_return looked.error();
            jobs_.push_back({std::move(job), std::nullopt, false});
        }
        co_return Result<void>{};
    }

    // Nothing named: the owner's jobs whose end is untold, and those that run.
    void gather_own() {
        for (const auto& notice : front_.notices.for_conversation(caller_.conversation)) {
            if (notice.kind != store::NoticeKind::ended) continue;
            if (end_is_untold(*notice.job)) jobs_.push_back({notice.job, std::nullopt, false});
        }
        for (auto& job : running_jobs(front_)) {
            if (job->row().spec.service) ++services_;
            if (job->row().spec.service && request_.mode == AwaitMode::all) continue;
            jobs_.push_back({std::move(job), std::nullopt, false});
        }
    }

    [[nodiscard]] bool end_is_untold(const Job& job) const {
        const auto notice = front_.notices.find(job.id(), store::NoticeKind::ended);
        return notice && front_.offers.standing(*notice) != Offers::Standing::offered;
    }

    [[nodiscard]] Instant silent_since(const Job& job) const {
        if (const auto last = job.level().last_output()) return *last;
        return front_.clock.now() - job.elapsed(front_.clock.now());
    }

    [[nodiscard]] AwaitFacts facts(const Awaited& awaited) const {
        const auto& job = *awaited.job;
        const auto& spec = job.row().spec;
        AwaitFacts facts;
        facts.ended = job.ended();
        // An end that is told to somebody else counts here if it came meanwhile.
        const bool ours = front_.owns(job) && NoticeBoard::concerns(job, caller_.conversation);
        facts.end_untold = facts.ended && (ours ? end_is_untold(job) : awaited.ran);
        facts.matched = awaited.search ? awaited.search->found() : job.ready_untold;
        facts.quiet = request_.quiet && !facts.ended &&
                      front_.clock.now() - silent_since(job) >= *request_.quiet;
        facts.ready_service = !awaited.search && !request_.quiet && spec.service && job.ready();
        return facts;
    }

    asio::awaitable<void> wait() {
        const auto deadline = called_ + request_.wait.used();
        Waiter waiter{front_.executor, front_.clock};
        for (auto& awaited : jobs_) waiter.listen(awaited.job->bell());
        for (;;) {
            for (auto& awaited : jobs_) {
                if (awaited.search) co_await awaited.search->advance(front_);
            }
            std::vector<AwaitFacts> all;
            auto next = deadline;
            for (const auto& awaited : jobs_) {
                all.push_back(facts(awaited));
                if (awaited.search) next = std::min(next, awaited.search->due());
                if (!request_.quiet || awaited.job->ended() || all.back().quiet) continue;
                next = std::min(next, silent_since(*awaited.job) + *request_.quiet);
            }
            over_ = await_over(request_.mode, all);
            if (over_ || front_.clock.now() >= deadline) co_return;
            co_await waiter.wait_until(next);
        }
    }

    asio::awaitable<Result<AwaitOutcome>> outcome() {
        AwaitOutcome outcome;
        outcome.ended_by = over_.value_or(EndedBy::time);
        outcome.nothing_to_wait_for = jobs_.empty();
        outcome.services_running = services_;
        outcome.wait = request_.wait.report(called_, front_.clock.now());

        std::vector<std::shared_ptr<Job>> jobs;
        std::vector<AwaitFacts> all;
        for (auto& awaited : jobs_) {
            // What the last bytes of a job say that ended meanwhile.
            if (awaited.search) co_await awaited.search->advance(front_);
            jobs.push_back(awaited.job);
            all.push_back(facts(awaited));
        }
        const auto shots = co_await full_snapshots(front_, caller_, jobs);
        const auto told =
            static_cast<std::uint32_t>(std::ranges::count_if(all, &AwaitFacts::end_untold));
        const auto budget = std::max(kLeastEndBytes, kEndBytes / std::max(told, 1U));
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            AwaitedJob answer;
            answer.job = shots[i];
            answer.ended_now = all[i].end_untold;
            if (all[i].ended) ++outcome.ended_count;
            auto failure = co_await fill(jobs_[i], all[i], budget, answer);
            if (!failure.empty()) outcome.facts.push_back(std::move(failure));
            outcome.jobs.push_back(std::move(answer));
        }
        co_return outcome;
    }

    // The match, and the output that belongs to what is told; why that cannot be read, else empty.
    // `answer` is a local of `outcome`.
    asio::awaitable<std::string> fill(Awaited& awaited, AwaitFacts facts, std::uint32_t budget,
                                      AwaitedJob& answer) {
        const auto job = awaited.job;
        if (awaited.search) {
            const auto& look = front_.looks.at(caller_.key(), job->id());
            answer.match = awaited.search->report(look, called_, front_.clock.now());
        } else if (facts.matched) {
            job->ready_untold = false;
        }
        const bool unread = facts.ended && answer.job.unread_bytes > 0 && !request_.ids.empty();
        if (facts.end_untold || unread) {
            auto view = co_await view_since_look(front_, caller_, job, budget);
            if (!view) co_return view.error().text();
            answer.view = std::move(*view);
        } else if (!facts.ended && !facts.matched) {
            answer.last_line = co_await last_line(front_, job);
        }
        co_return std::string{};
    }

    FrontEnd& front_;
    const Caller caller_;
    const AwaitRequest request_;
    const Instant called_;
    std::vector<Awaited> jobs_;
    std::uint32_t services_ = 0;
    std::optional<EndedBy> over_;
};

}  // namespace

asio::awaitable<Result<AwaitOutcome>> await_jobs(FrontEnd& front, Caller caller,
                                                 AwaitRequest request) {
    AwaitCall call{front, std::move(caller), std::move(request)};
    auto answer = co_await call.answer();
    co_return answer;
}

}  // namespace bgshell::jobs
