#include "jobs/job_follower.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>
#include <variant>

#include "jobs/snapshot.hpp"
#include "keeper/continue_keeper.hpp"
#include "platform/seqpacket.hpp"
#include "store/settle.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

// The keeper closes its socket an instant before its exit frees the lock.
constexpr int kSettleAttempts = 80;
constexpr std::chrono::milliseconds kSettlePause{25};
constexpr std::chrono::milliseconds kShortLife{100};
// Until then the registry, on a full disk say, has the job as running: it is asked again, for only
// we know better.
constexpr std::chrono::milliseconds kRegistryPause{1000};

void drop_limit_warnings(FrontEnd& front, const Job& job) {
    while (const auto stale = front.notices.find(job.id(), store::NoticeKind::limit_near)) {
        front.told({}, Offers::Told{{*stale}, {}});
    }
}

// The registry has the end, or is about to: its write was asked for before this.
void announce_end(FrontEnd& front, const std::shared_ptr<Job>& job) {
    drop_limit_warnings(front, *job);
    if (!front.owns(*job)) return;
    front.add_notice(store::NoticeKind::ended, job, {}, true);
    const auto shot = snapshot(front, Caller{front.owner, {}}, *job);
    for (const auto& handler : front.end_handlers) handler(shot);
}

// The pid of a shell that lives on. Most commands have ended by then, and need no transaction of
// their own for it.
asio::awaitable<void> record_shell(FrontEnd& front, std::shared_ptr<Job> job) {
    asio::steady_timer pause{front.executor, kShortLife};
    const auto [cut_off] = co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
    static_cast<void>(cut_off);  // we leave: now, then
    if (job->ended()) co_return;
    auto work = [id = job->id(), pid = job->row().pid](store::Store::Opened& opened) {
        return opened.registry->record_started(id, pid);
    };
    front.store.post(std::move(work));
}

struct Hearing {
    FrontEnd& front;
    const std::shared_ptr<Job>& job;

    void operator()(const keeper::Hello&) const {}
    void operator()(const keeper::Started& started) const {
        job->apply(started, front.clock.now());
        front.tasks.spawn(record_shell(front, job));
    }
    void operator()(const keeper::StartFailed& failed) const { job->apply(failed); }
    void operator()(const keeper::Grew& grew) const { job->apply(grew, front.clock.now()); }
    void operator()(const keeper::Wrote& wrote) const { job->apply(wrote); }
    void operator()(const keeper::Ended& ended) const {
        if (!job->apply(ended, front.clock.now())) return;
        auto work = [record = ended.record](store::Store::Opened& opened) {
            return opened.registry->record_end(record, true);
        };
        front.store.post(std::move(work));
        announce_end(front, job);
    }
    void operator()(const keeper::Leftovers& leftovers) const { job->apply(leftovers); }
    void operator()(const keeper::Stopped& stopped) const { job->apply(stopped); }
};

// Leftovers that a limit or the session's end stopped; those that a caller cancelled are in the
// answer to that, those that ended by themselves did what they were meant to do.
bool leftovers_are_news(const keeper::AfterRecord& after) {
    return !after.leftovers_stopped_by.empty() && after.leftovers_stopped_by != "cancel";
}

// Runs on the worker. The row, settled if nobody lives behind the job.
store::Result<store::JobRow> settled_row(store::Store::Opened& opened, const JobId& id,
                                         platform::WallTime now) {
    auto row = store::find_settled(opened.state, *opened.registry, id, now);
    if (!row) return row.error();
    if (!*row) return store::Error{store::ErrorKind::not_found, "no job " + id.text()};
    return std::move(**row);
}

asio::awaitable<void> settle(FrontEnd& front, std::shared_ptr<Job> job) {
    asio::steady_timer pause{front.executor};
    for (int attempt = 0; attempt < kSettleAttempts;) {
        auto work = [id = job->id(), now = front.clock.wall()](store::Store::Opened& opened) {
            return settled_row(opened, id, now);
        };
        auto row = co_await front.store.run(std::move(work));
        if (!row && row.error().kind() == store::ErrorKind::not_found) co_return;  // removed
        if (!row) {
            pause.expires_after(kRegistryPause);
            co_await pause.async_wait(asio::use_awaitable);
            continue;
        }
        if (job->ended() && !keeper::is_ended(row->state)) {
            // The registry could be read but not written: what we know is newer.
            pause.expires_after(kRegistryPause);
            co_await pause.async_wait(asio::use_awaitable);
            continue;
        }
        ++attempt;
        const bool settled = keeper::is_ended(row->state) && row->settled;
        if (job->apply(std::move(*row), front.clock.now())) announce_end(front, job);
        if (settled) co_return;
        pause.expires_after(kSettlePause);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<void> hear(FrontEnd& front, std::shared_ptr<Job> job) {
    for (;;) {
        const auto message = co_await job->link()->receive();
        if (!message) break;
        std::visit(Hearing{front, job}, *message);
    }
    job->disconnect();
    co_await settle(front, job);
    const auto& after = job->row().after;
    if (after && !after->leftovers.empty() && front.owns(*job)) {
        const auto number = front.add_notice(store::NoticeKind::leftovers_ended, job,
                                             after->leftovers_stopped_by, true);
        if (!leftovers_are_news(*after)) front.told({}, Offers::Told{{number}, {}});
    }
    const std::size_t unread = job->input().lost() + job->input().waiting();
    if (unread > 0) front.unread_input.emplace(job->id(), unread);
    front.jobs.erase(job->id());
}

asio::awaitable<void> warn_of_limit(FrontEnd& front, std::shared_ptr<Job> job) {
    Waiter waiter{front.executor, front.clock};
    waiter.listen(job->limit_bell());
    platform::Instant warned{};
    while (!job->ended() && job->link() != nullptr) {
        const auto near = job->limit_near_at();
        if (near && *near != warned && front.clock.now() >= *near) {
            warned = *near;
            front.add_notice(store::NoticeKind::limit_near, job, {}, false);
            job->bell().ring();
        }
        auto next = platform::Instant::max();
        if (near && *near != warned) next = *near;
        co_await waiter.wait_until(next);
    }
}

}  // namespace

void follow(FrontEnd& front, std::shared_ptr<Job> job) {
    front.jobs.insert_or_assign(job->id(), job);
    if (front.owns(*job)) front.tasks.spawn(warn_of_limit(front, job));
    front.tasks.spawn(hear(front, std::move(job)));
}

asio::awaitable<std::shared_ptr<Job>> attach(FrontEnd& front, std::shared_ptr<Job> job) {
    struct Reached {
        platform::UniqueFd socket;
        std::optional<store::JobRow> row;
    };
    auto work = [id = job->id(),
                 now = front.clock.wall()](store::Store::Opened& opened) -> store::Result<Reached> {
        Reached reached;
        if (auto directory = store::JobDirectory::open(opened.state, id)) {
            auto socket = platform::seqpacket_connect(directory->fd(), "sock");
            if (socket) {
                reached.socket = std::move(*socket);
                return reached;
            }
        }
        auto row = settled_row(opened, id, now);
        if (!row) return row.error();
        reached.row = std::move(*row);
        return reached;
    };
    auto reached = co_await front.store.run(std::move(work), store::Patience::none);
    const auto known = front.jobs.find(job->id());
    if (known != front.jobs.end()) co_return known->second;  // another call was faster
    if (!reached) co_return job;
    if (reached->row) {
        static_cast<void>(job->apply(std::move(*reached->row), front.clock.now()));
        co_return job;
    }
    job->connect(std::make_unique<KeeperLink>(front.executor, std::move(reached->socket)));
    job->link()->send(keeper::Subscribe{});
    follow(front, job);
    co_return job;
}

void wake_keeper(FrontEnd& front, const Job& job) {
    if (job.link() != nullptr && job.link()->continue_if_stopped()) return;
    auto work = [id = job.id()](store::Store::Opened& opened) -> store::Result<void> {
        const auto directory = store::JobDirectory::open(opened.state, id);
        if (directory) keeper::continue_if_stopped(directory->fd());
        return {};
    };
    front.store.post(std::move(work));
}

}  // namespace bgshell::jobs
