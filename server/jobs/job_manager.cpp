#include "jobs/job_manager.hpp"

#include <algorithm>
#include <utility>

#include "jobs/await_jobs.hpp"
#include "jobs/cancel_jobs.hpp"
#include "jobs/front_end.hpp"
#include "jobs/job_names.hpp"
#include "jobs/list_jobs.hpp"
#include "jobs/notice_block.hpp"
#include "jobs/send_input.hpp"
#include "jobs/show_output.hpp"
#include "jobs/start_job.hpp"
#include "jobs/working_directory.hpp"
#include "store/settle.hpp"
#include "text/duration.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

JobManager::JobManager(asio::any_io_executor executor, store::Store& store, Settings settings,
                       Surroundings surroundings, const platform::Clock& clock)
    : front_{std::make_unique<FrontEnd>(std::move(executor), store, std::move(settings),
                                        std::move(surroundings), clock)} {}

JobManager::~JobManager() = default;

const std::string& JobManager::owner() const noexcept {
    return front_->owner;
}

void JobManager::expect_start() {
    front_->keepers.refill_next();
}

asio::awaitable<Result<void>> JobManager::begin(std::string client) {
    // Whoever can look at what is there tells what it knows.
    const auto readable = [this] { return !front_->state_path.empty(); };
    if (readable() && begun_ == Begun::now) co_return Result<void>{};
    auto begun = co_await begin(client, store::Patience::none);
    if (begun || readable()) co_return Result<void>{};
    begun = co_await begin(std::move(client), store::Patience::waits);
    co_return begun;
}

asio::awaitable<Result<void>> JobManager::begin(std::string client, store::Patience patience) {
    Waiter waiter{front_->executor, front_->clock};
    waiter.listen(begun_changed_);
    while (begun_ == Begun::now) co_await waiter.wait_until(platform::Instant::max());
    if (begun_ == Begun::yes) co_return Result<void>{};
    begun_ = Begun::now;
    try {
        const auto taken = co_await take_up(std::move(client), patience);
        begun_ = taken ? Begun::yes : Begun::no;
        begun_changed_.ring();
        co_return taken;
    } catch (...) {  // cancelled: the next call begins
        begun_ = Begun::no;
        begun_changed_.ring();
        throw;
    }
}

asio::awaitable<Result<void>> JobManager::take_up(std::string client, store::Patience patience) {
    front_->scope = determine_scope(front_->surroundings, client);
    front_->client = std::move(client);
    struct Taken {
        std::string path;
        std::optional<store::OwnerLock> lock;
        store::Error hindrance;  // without a lock
    };
    const auto now = front_->clock.wall();
    store::OwnerRow row{front_->owner, front_->client, front_->scope, now};
    std::vector<keeper::JobSpec> running;
    for (const auto& job : running_jobs(*front_)) running.push_back(job->row().spec);
    auto take = [row = std::move(row), running = std::move(running),
                 now](store::Store::Opened& opened) -> store::Result<store::OwnerLock> {
        auto lock = store::OwnerLock::acquire(opened.state, row.id);
        if (!lock) return lock.error();
        if (auto put = opened.registry->put_owner(row); !put) return put.error();
        const auto settled = store::settle(opened.state, *opened.registry, now);
        if (!settled) return settled.error();
        // After settling: the directories of these are gone, their keepers are not.
        for (const auto& spec : running) {
            const auto inserted = opened.registry->insert_found(spec);
            if (!inserted) return inserted.error();
        }
        return std::move(*lock);
    };
    auto work = [take = std::move(take),
                 patience](store::Store::Opened& opened) -> store::Result<Taken> {
        auto lock = take(opened);
        if (lock) return Taken{opened.state.path(), std::move(*lock), {}};
        const bool waits = patience == store::Patience::waits;
        if (waits || !lock.error().may_pass()) return lock.error();
        return Taken{opened.state.path(), std::nullopt, lock.error()};
    };
    auto taken = co_await front_->store.run(std::move(work), patience);
    if (!taken) co_return to_error(taken.error());
    front_->state_path = std::move(taken->path);
    if (!taken->lock) co_return to_error(taken->hindrance);
    lock_ = std::move(*taken->lock);
    co_return Result<void>{};
}

asio::awaitable<Result<StartOutcome>> JobManager::start(Caller caller, StartRequest request) {
    std::string client = front_->client;
    const auto begun = co_await begin(std::move(client), store::Patience::waits);
    if (!begun) co_return begun.error();
    auto outcome = co_await start_job(*front_, caller, request);
    if (outcome || outcome.error().kind() != ErrorKind::unavailable) co_return outcome;
    const auto again = co_await begin_again();
    if (!again) co_return again.error();
    if (!*again) co_return outcome;
    outcome = co_await start_job(*front_, std::move(caller), std::move(request));
    if (auto* const started = outcome ? std::get_if<StartedJob>(&*outcome) : nullptr) {
        started->facts.push_back("the state directory " + front_->state_path +
                                 " had been removed and was made again: records and logs of "
                                 "earlier jobs are gone");
    }
    co_return outcome;
}

asio::awaitable<Result<bool>> JobManager::begin_again() {
    const bool removed = co_await front_->store.let_go_if_removed();
    if (removed) begun_ = Begun::no;
    // Another start may be at it.
    if (begun_ == Begun::yes) co_return false;
    std::string client = front_->client;
    const auto begun = co_await begin(std::move(client), store::Patience::waits);
    if (!begun) co_return begun.error();
    co_return true;
}

std::string JobManager::doubt() const {
    std::string_view why;
    switch (front_->store.hindrance()) {
        case store::Store::Hindrance::none:
            return {};
        case store::Store::Hindrance::locked:
            why = "another program keeps it locked";
            break;
        case store::Store::Hindrance::full:
            why = "the disk is full";
            break;
    }
    return "the registry of " + front_->state_path + " could not be written (" + std::string{why} +
           "): what is told of jobs may be old";
}

asio::awaitable<Result<AwaitOutcome>> JobManager::await(Caller caller, AwaitRequest request) {
    return await_jobs(*front_, std::move(caller), std::move(request));
}
asio::awaitable<Result<OutputOutcome>> JobManager::output(Caller caller, OutputRequest request) {
    return show_output(*front_, std::move(caller), std::move(request));
}
asio::awaitable<Result<SendOutcome>> JobManager::send(Caller caller, SendRequest request) {
    return send_input(*front_, std::move(caller), std::move(request));
}
asio::awaitable<Result<CancelOutcome>> JobManager::cancel(Caller caller, CancelRequest request) {
    return cancel_jobs(*front_, std::move(caller), std::move(request));
}
asio::awaitable<Result<ListOutcome>> JobManager::list(Caller caller, ListRequest request) {
    return list_jobs(*front_, std::move(caller), std::move(request));
}

void JobManager::call_arrived(const Caller& caller) {
    front_->told(caller.key(), front_->offers.call_arrived(caller.key()));
}

asio::awaitable<NoticeBlock> JobManager::notices(Caller caller) {
    return notice_block(*front_, std::move(caller));
}

OfferId JobManager::offer(const Caller& caller, const std::vector<std::int64_t>& notices,
                          std::vector<LookMove> looks, std::optional<JobId> started) {
    Offers::Content content;
    for (const auto number : notices) {
        const auto* notice = front_->notices.get(number);
        const bool own_end = notice != nullptr && started && notice->job->id() == *started &&
                             notice->kind == store::NoticeKind::ended;
        (own_end ? content.complete : content.notices).push_back(number);
    }
    content.looks = std::move(looks);
    content.started = std::move(started);
    return front_->offers.open(caller.key(), std::move(content));
}

void JobManager::written(OfferId offer) {
    front_->told({}, front_->offers.written(offer));
}

void JobManager::lost(OfferId offer) {
    front_->offers.lost(offer);
}

void JobManager::on_end(EndHandler handler) {
    front_->end_handlers.push_back(std::move(handler));
}

void JobManager::on_failure(std::function<void(const std::string&)> handler) {
    front_->failure_handler = std::move(handler);
}

std::string JobManager::progress(const std::vector<std::string>& ids) const {
    constexpr std::size_t kNamed = 3;
    const auto now = front_->clock.now();
    std::string line;
    std::size_t count = 0;
    for (const auto& job : running_jobs(*front_)) {
        const auto is_job = [&job](const std::string& name) {
            return name == job->id().text() || name == job->row().spec.title;
        };
        if (!ids.empty() && std::ranges::none_of(ids, is_job)) continue;
        if (++count > kNamed) continue;
        if (!line.empty()) line += "; ";
        line += job->id().text() + " " + text::format_duration(job->elapsed(now)) + ", " +
                std::to_string(job->level().produced()) + " bytes";
    }
    if (count > kNamed) line += "; and " + std::to_string(count - kNamed) + " more";
    return line;
}

asio::awaitable<void> JobManager::close(bool end_jobs) {
    if (end_jobs) co_await end_all_jobs(*front_);
    co_await front_->tasks.close();
    front_->keepers.clear();
    front_->told_queue.write_now();
    front_->jobs.clear();
}

}  // namespace bgshell::jobs
