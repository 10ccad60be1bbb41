#include "jobs/told_queue.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <utility>

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kPause{10};

// The oldest untold notices of these jobs and kinds: the board and the registry have the same ones
// in the same order, but different numbers.
std::vector<std::int64_t> rows_of(const std::vector<store::Notice>& untold,
                                  const std::vector<ToldQueue::ToldNotice>& told) {
    std::vector<std::int64_t> rows;
    std::vector<bool> used(untold.size(), false);
    for (const auto& [job, kind] : told) {
        for (std::size_t i = 0; i < untold.size(); ++i) {
            if (used[i] || untold[i].job != job || untold[i].kind != kind) continue;
            used[i] = true;
            rows.push_back(untold[i].row);
            break;
        }
    }
    return rows;
}

}  // namespace

ToldQueue::ToldQueue(asio::any_io_executor executor, store::Store& store,
                     platform::TaskScope& tasks, std::string owner)
    : executor_{std::move(executor)}, store_{store}, tasks_{tasks}, owner_{std::move(owner)} {}

void ToldQueue::add(ToldNotice notice) {
    write_soon();
    notices_.push_back(std::move(notice));
}

void ToldQueue::add(store::Seen seen) {
    write_soon();
    seen_.push_back(std::move(seen));
}

void ToldQueue::write_soon() {
    if (notices_.empty() && seen_.empty()) tasks_.spawn(pause_and_write());
}

asio::awaitable<void> ToldQueue::pause_and_write() {
    asio::steady_timer pause{executor_, kPause};
    co_await pause.async_wait(asio::use_awaitable);
    write_now();
}

void ToldQueue::write_now() {
    if (notices_.empty() && seen_.empty()) return;
    auto work =
        [owner = owner_, notices = std::exchange(notices_, {}),
         seen = std::exchange(seen_, {})](store::Store::Opened& opened) -> store::Result<void> {
        const auto untold = opened.registry->untold(owner);
        if (!untold) return untold.error();
        return opened.registry->record_told(rows_of(*untold, notices), seen);
    };
    store_.post_aside(std::move(work));
}

}  // namespace bgshell::jobs
