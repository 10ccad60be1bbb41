#include "jobs/notice_block.hpp"

#include <utility>

#include "jobs/log_views.hpp"
#include "jobs/snapshot.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

// Only these many are told in full lines; of others the last line is not wanted.
constexpr std::size_t kFullLines = 5;

bool wants_last_line(const NoticeItem& item) {
    return item.notice.kind == store::NoticeKind::ended &&
           item.job.row.state != keeper::JobState::succeeded && item.job.bytes_stored > 0;
}

}  // namespace

asio::awaitable<NoticeBlock> notice_block(FrontEnd& front, Caller caller) {
    NoticeBlock block;
    std::vector<std::shared_ptr<Job>> jobs;
    for (const auto& entry : front.notices.for_conversation(caller.conversation)) {
        const auto standing = front.offers.standing(entry.number);
        if (standing == Offers::Standing::offered) continue;
        NoticeItem item;
        item.notice.row = entry.number;
        item.notice.job = entry.job->id();
        item.notice.kind = entry.kind;
        item.notice.text = entry.text;
        item.notice.owner = front.owner;
        item.notice.created = entry.created;
        item.job = snapshot(front, caller, *entry.job);
        item.again = standing == Offers::Standing::untold_again;
        block.items.push_back(std::move(item));
        jobs.push_back(entry.job);
    }
    for (std::size_t i = 0; i < std::min(block.items.size(), kFullLines); ++i) {
        auto& item = block.items[i];
        if (!wants_last_line(item)) continue;
        item.last_line = co_await last_line(front, jobs[i]);
    }
    for (const auto& lost : front.offers.lost_starts(caller.key())) {
        auto work = [id = lost.job](store::Store::Opened& opened) {
            return opened.registry->find(id);
        };
        auto row = co_await front.store.read(std::move(work));
        if (!row || !*row) continue;  // removed meanwhile
        const auto job = front.job_of(std::move(**row));
        block.lost_starts.push_back({snapshot(front, caller, *job), lost.answered});
    }
    co_return block;
}

}  // namespace bgshell::jobs
