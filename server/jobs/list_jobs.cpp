#include "jobs/list_jobs.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "jobs/job_names.hpp"
#include "jobs/snapshot.hpp"
#include "store/settle.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

asio::awaitable<Result<ListOutcome>> list_jobs(FrontEnd& front, Caller caller,
                                               ListRequest request) {
    std::vector<std::shared_ptr<Job>> jobs;
    if (!request.ids.empty()) {
        auto found = co_await find_jobs(front, request.ids, Titles::accepted);
        if (!found) co_return found.error();
        jobs = std::move(*found);
    }
    store::ListQuery query{front.owner, front.scope, true, request.state != ListState::running,
                           request.limit};
    auto work = [query = std::move(query), now = front.clock.wall()](
                    store::Store::Opened& opened) -> store::Result<store::Listing> {
        auto listing = opened.registry->list(query);
        if (!listing || !listing->others_unsettled) return listing;
        auto settled = store::settle_others(opened.state, *opened.registry, query.owner, now);
        if (!settled) return settled.error();
        return opened.registry->list(query);
    };
    auto listing = co_await front.store.read(std::move(work));
    if (!listing) co_return to_error(listing.error());

    ListOutcome outcome;
    std::vector<std::shared_ptr<Job>> running;
    std::vector<std::shared_ptr<Job>> ended;
    for (auto& row : listing->running) {
        auto job = front.job_of(std::move(row));
        // Of an end that the registry could not take yet, as on a full disk, only we know.
        (job->ended() ? ended : running).push_back(std::move(job));
    }
    std::ranges::sort(ended, std::greater{}, [](const auto& job) { return job->row().ended; });
    outcome.running_total = listing->running_total - ended.size();
    outcome.ended_total = listing->ended_total + ended.size();
    for (auto& row : listing->ended) ended.push_back(front.job_of(std::move(row)));
    ended.resize(std::min<std::size_t>(ended.size(), request.limit));
    outcome.slots = front.settings.slots;
    outcome.slots_used = listing->slots_used;
    outcome.disk_budget_bytes = front.settings.disk_budget_bytes;
    outcome.disk_used_bytes = listing->disk_used_bytes;
    outcome.details = !request.ids.empty();
    if (!outcome.details) {
        if (request.state != ListState::ended) jobs = std::move(running);
        if (request.state != ListState::running) {
            outcome.omitted = outcome.ended_total - ended.size();
            std::ranges::move(ended, std::back_inserter(jobs));
        }
    }
    // The overview says of ended ones only that they are unread.
    const auto count = outcome.details ? CountLines::of_all : CountLines::of_running;
    outcome.jobs = co_await full_snapshots(front, std::move(caller), std::move(jobs), count);
    co_return outcome;
}

}  // namespace bgshell::jobs
