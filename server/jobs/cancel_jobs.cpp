#include "jobs/cancel_jobs.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <utility>

#include "jobs/job_follower.hpp"
#include "jobs/job_names.hpp"
#include "jobs/log_views.hpp"
#include "jobs/snapshot.hpp"
#include "platform/listening_ports.hpp"
#include "store/owner_lock.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using platform::Instant;

namespace {

// A keeper answers when its hard stage is over, 2 s after the grace. Beyond that it is stuck
// itself.
constexpr Milliseconds kKeeperPatience{10'000};
constexpr Milliseconds kEndGrace{5000};
constexpr Milliseconds kRemovePatience{3000};
constexpr Milliseconds kRemovePause{20};
constexpr std::uint32_t kLastLines = 5;

struct Stop {
    std::shared_ptr<Job> job;
    bool had_ended = false;
    bool asked = false;  // the keeper, to stop something
    std::uint64_t answers_before = 0;
};

// Whether the keeper has said that nothing is left, or what is.
bool is_over(const Stop& stop) {
    const auto& job = *stop.job;
    if (!stop.asked) return true;
    const bool answered = job.stopped_count() > stop.answers_before;
    const bool end_known = job.ended() || !job.stopped().survivors.empty();
    // A keeper that has gone has nothing below it any more; its job is settled as ended or lost.
    return (answered && end_known) || (job.link() == nullptr && job.ended());
}

void ask(Stop& stop, const CancelRequest& request) {
    auto& job = *stop.job;
    stop.had_ended = job.ended();
    stop.answers_before = job.stopped_count();
    if (job.link() == nullptr || (job.ended() && job.leftover_count() == 0)) return;
    stop.asked = true;
    job.link()->send(keeper::Cancel{request.signal,
                                    static_cast<std::uint32_t>(request.grace.count()), "user",
                                    request.by_person});
}

asio::awaitable<void> wait_until_over(FrontEnd& front, const std::vector<Stop>& stops,
                                      Instant deadline) {
    Waiter waiter{front.executor, front.clock};
    for (const auto& stop : stops) waiter.listen(stop.job->bell());
    auto look_at = front.clock.now() + kKeeperLook;
    while (!std::ranges::all_of(stops, is_over) && front.clock.now() < deadline) {
        if (front.clock.now() >= look_at) {
            look_at += kKeeperLook;
            for (const auto& stop : stops) {
                if (!is_over(stop)) wake_keeper(front, *stop.job);
            }
        }
        co_await waiter.wait_until(std::min(deadline, look_at));
    }
}

// Jobs of dead owners may be cancelled by anybody of the scope; those of living ones by them alone.
asio::awaitable<Result<void>> check_owner(FrontEnd& front, std::shared_ptr<Job> job) {
    if (front.owns(*job)) co_return Result<void>{};
    auto work = [owner = job->row().spec.owner](store::Store::Opened& opened) {
        return store::OwnerLock::is_alive(opened.state, owner);
    };
    const auto alive = co_await front.store.run(std::move(work));
    if (!alive) co_return to_error(alive.error());
    if (!*alive) co_return Result<void>{};
    co_return Error{ErrorKind::not_permitted,
                    job->id().text() +
                        " belongs to another session that is still open; only that "
                        "one can cancel it. Nothing was stopped."};
}

CancelledJob facts_of(const Stop& stop, const CancelRequest& request,
                      const std::set<std::uint16_t>& listening) {
    CancelledJob answer;
    const auto& job = *stop.job;
    if (!stop.asked) {
        // A job that runs without a keeper to ask: nothing is proven to be gone.
        answer.result = job.ended() ? CancelResult::already_ended : CancelResult::survivors;
        return answer;
    }
    answer.result = stop.had_ended ? CancelResult::leftovers_ended : CancelResult::ended;
    answer.signal_sent = request.signal;
    if (job.stopped_count() == stop.answers_before) {
        // No answer. With a keeper that is stuck nothing is proven to be gone.
        if (!job.ended()) answer.result = CancelResult::survivors;
        return answer;
    }
    const auto& stopped = job.stopped();
    if (stopped.had_ended) answer.result = CancelResult::leftovers_ended;
    if (!stopped.survivors.empty()) answer.result = CancelResult::survivors;
    answer.escalated = stopped.killed > 0 && request.signal != SIGKILL;
    answer.gone = stopped.gone;
    answer.killed = stopped.killed;
    answer.took = Milliseconds{stopped.elapsed_ms};
    answer.survivors = stopped.survivors;
    for (const auto port : stopped.ports) {
        (listening.contains(port) ? answer.ports_in_use : answer.ports_free).push_back(port);
    }
    return answer;
}

struct Removal {
    bool log = false;     // the directory with all in it
    bool record = false;  // the registry's row
    std::string failure;  // empty while a keeper holds the lock
};

// Runs on the worker. The directory goes first, and only when no keeper holds its lock any more.
store::Result<Removal> try_remove(store::Store::Opened& opened, const JobId& id) {
    Removal removal;
    auto directory = store::JobDirectory::open(opened.state, id);
    if (directory) {
        const auto locked = directory->try_lock();
        if (!locked) return locked.error();
        if (!*locked) return removal;
        const auto removed = directory->remove(opened.state);
        if (!removed) return removed.error();
    } else if (directory.error().kind() != store::ErrorKind::not_found) {
        return directory.error();
    }
    removal.log = true;
    const auto forgotten = opened.registry->remove(id);
    removal.record = forgotten.has_value();
    if (!forgotten) removal.failure = forgotten.error().text();
    return removal;
}

asio::awaitable<Removal> remove(FrontEnd& front, std::shared_ptr<Job> job) {
    const auto deadline = front.clock.now() + kRemovePatience;
    asio::steady_timer pause{front.executor};
    for (;;) {
        auto work = [id = job->id()](store::Store::Opened& opened) {
            return try_remove(opened, id);
        };
        const auto tried = co_await front.store.run(std::move(work));
        Removal removal;
        if (tried) removal = *tried;
        if (!tried) removal.failure = to_error(tried.error()).text();
        const bool waits = !removal.log && removal.failure.empty();
        if (!waits || front.clock.now() >= deadline) co_return removal;
        pause.expires_after(kRemovePause);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

}  // namespace

asio::awaitable<Result<CancelOutcome>> cancel_jobs(FrontEnd& front, Caller caller,
                                                   CancelRequest request) {
    if (request.ids.empty()) {
        co_return Error{ErrorKind::bad_argument,
                        "ids must name at least one job. Nothing was stopped."};
    }
    const auto titles = request.remove ? Titles::refused : Titles::accepted;
    auto found = co_await find_jobs(front, request.ids, titles);
    if (!found) co_return found.error();
    for (const auto& job : *found) {
        const auto permitted = co_await check_owner(front, job);
        if (!permitted) co_return permitted.error();
    }
    std::vector<Stop> stops;
    for (auto& job : *found) {
        const bool may_live = !job->ended() || job->leftover_count() > 0;
        if (may_live && job->link() == nullptr) job = co_await attach(front, job);
        stops.push_back({std::move(job)});
    }
    for (auto& stop : stops) ask(stop, request);
    co_await wait_until_over(front, stops, front.clock.now() + request.grace + kKeeperPatience);

    const auto listening = platform::all_listening_ports();
    CancelOutcome outcome;
    for (const auto& stop : stops) {
        auto answer = facts_of(stop, request, listening);
        answer.job = co_await full_snapshot(front, caller, stop.job);
        if (stop.asked && answer.job.unread_bytes > 0) {
            const auto look = answer.job.bytes_stored - answer.job.unread_bytes;
            answer.last_lines = co_await last_lines(front, stop.job, look, kLastLines);
        }
        if (request.remove && answer.result != CancelResult::survivors) {
            auto removal = co_await remove(front, stop.job);
            answer.removed = removal.record;
            answer.log_removed = removal.log;
            answer.removal_failure = std::move(removal.failure);
        }
        if (answer.removed) {
            front.jobs.erase(stop.job->id());
            front.notices.forget(stop.job->id());
            front.looks.forget(stop.job->id());
            front.unread_input.erase(stop.job->id());
        }
        outcome.jobs.push_back(std::move(answer));
    }
    co_return outcome;
}

asio::awaitable<void> end_all_jobs(FrontEnd& front) {
    std::vector<Stop> stops;
    for (const auto& [id, job] : front.jobs) {
        if (job->link() == nullptr || !front.owns(*job)) continue;
        stops.push_back({job, job->ended(), true, job->stopped_count()});
        job->link()->send(keeper::Cancel{15, static_cast<std::uint32_t>(kEndGrace.count()),
                                         "session_end", false});
    }
    co_await wait_until_over(front, stops, front.clock.now() + kEndGrace + kKeeperPatience);
}

}  // namespace bgshell::jobs
