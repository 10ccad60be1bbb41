#include "jobs/snapshot.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "jobs/log_views.hpp"
#include "store/owner_lock.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using std::chrono::duration_cast;

namespace {

using Owners = std::set<std::string>;

// The owners of these jobs that are known to have gone.
asio::awaitable<Owners> gone_owners(FrontEnd& front, std::vector<std::shared_ptr<Job>> jobs) {
    Owners others;
    for (const auto& job : jobs) {
        if (!front.owns(*job)) others.insert(job->row().spec.owner);
    }
    if (others.empty()) co_return others;
    auto work = [others = std::move(others)](const store::Store::Files& files) {
        Owners gone;
        for (const auto& owner : others) {
            const auto alive = store::OwnerLock::is_alive(files.state, owner);
            if (alive && !*alive) gone.insert(owner);
        }
        return store::Result<Owners>{std::move(gone)};
    };
    auto gone = co_await front.store.view(std::move(work));
    co_return gone ? std::move(*gone) : Owners{};
}

}  // namespace

JobSnapshot snapshot(const FrontEnd& front, const Caller& caller, const Job& job) {
    const auto now = front.clock.now();
    JobSnapshot shot;
    shot.row = job.row();
    shot.elapsed = job.elapsed(now);
    shot.bytes_produced = job.level().produced();
    shot.bytes_stored = job.level().stored();
    const auto look = front.look(caller, job);
    shot.unread_bytes = shot.bytes_stored - std::min(look, shot.bytes_stored);
    shot.own = job.row().spec.owner == caller.owner;
    shot.leftovers = job.leftovers();
    shot.leftover_count = job.leftover_count();
    shot.log_path = front.state_path + "/jobs/" + job.id().text() + "/log";
    if (const auto* ended = std::get_if<Job::Ended>(&job.phase())) {
        shot.ended_age = duration_cast<Milliseconds>(now - ended->at);
        const auto notice = front.notices.find(job.id(), store::NoticeKind::ended);
        shot.unread_end = notice && front.offers.standing(*notice) != Offers::Standing::offered;
    } else if (const auto* running = std::get_if<Job::Running>(&job.phase())) {
        const auto since = job.level().last_output().value_or(running->started);
        shot.last_output_age = duration_cast<Milliseconds>(now - since);
    }
    return shot;
}

asio::awaitable<std::vector<JobSnapshot>> full_snapshots(FrontEnd& front, Caller caller,
                                                         std::vector<std::shared_ptr<Job>> jobs,
                                                         CountLines count) {
    for (const auto& job : jobs) {
        // Where the look cannot be read the whole log counts as unread: nothing is hidden by that.
        const auto looked = co_await front.load_look(caller.key(), job);
        static_cast<void>(looked);
    }
    co_await refresh_levels(front, jobs);
    const auto gone = co_await gone_owners(front, jobs);

    std::vector<JobSnapshot> shots;
    std::vector<LineQuestion> questions;
    std::vector<std::size_t> asked;
    for (const auto& job : jobs) {
        shots.push_back(snapshot(front, caller, *job));
        auto& shot = shots.back();
        shot.earlier_session = gone.contains(shot.row.spec.owner);
        const bool counted = count == CountLines::of_all || !job->ended();
        if (!counted || shot.unread_bytes == 0) continue;
        asked.push_back(shots.size() - 1);
        questions.push_back(
            {job->id(), {shot.bytes_stored - shot.unread_bytes, shot.bytes_stored}});
    }
    if (questions.empty()) co_return shots;
    const auto lines = co_await count_lines(front, std::move(questions));
    for (std::size_t i = 0; i < asked.size(); ++i) shots[asked[i]].unread_lines = lines[i];
    co_return shots;
}

asio::awaitable<JobSnapshot> full_snapshot(FrontEnd& front, Caller caller, std::shared_ptr<Job> job,
                                           CountLines count) {
    std::vector<std::shared_ptr<Job>> jobs;
    jobs.push_back(std::move(job));
    auto shots = co_await full_snapshots(front, std::move(caller), std::move(jobs), count);
    co_return std::move(shots.front());
}

}  // namespace bgshell::jobs
