#include "jobs/notice_board.hpp"

#include <utility>

namespace bgshell::jobs {

std::int64_t NoticeBoard::add(store::NoticeKind kind, std::shared_ptr<Job> job, std::string text,
                              platform::WallTime now) {
    const auto number = ++last_;
    notices_.emplace(number, BoardNotice{number, kind, std::move(text), now, std::move(job)});
    return number;
}

std::vector<BoardNotice> NoticeBoard::for_conversation(const std::string& conversation) const {
    std::vector<BoardNotice> found;
    for (const auto& [number, notice] : notices_) {
        if (concerns(*notice.job, conversation)) found.push_back(notice);
    }
    return found;
}

bool NoticeBoard::concerns(const Job& job, const std::string& conversation) {
    const auto& starter = job.conversation;
    return starter.empty() || conversation.empty() || starter == conversation;
}

std::optional<std::int64_t> NoticeBoard::find(const keeper::JobId& job,
                                              store::NoticeKind kind) const {
    for (const auto& [number, notice] : notices_) {
        if (notice.kind == kind && notice.job->id() == job) return number;
    }
    return std::nullopt;
}

std::vector<BoardNotice> NoticeBoard::take(const std::vector<std::int64_t>& numbers) {
    std::vector<BoardNotice> taken;
    for (const auto number : numbers) {
        const auto found = notices_.find(number);
        if (found == notices_.end()) continue;
        taken.push_back(std::move(found->second));
        notices_.erase(found);
    }
    return taken;
}

void NoticeBoard::forget(const keeper::JobId& job) {
    std::erase_if(notices_, [&job](const auto& entry) { return entry.second.job->id() == job; });
}

const BoardNotice* NoticeBoard::get(std::int64_t number) const {
    const auto found = notices_.find(number);
    return found == notices_.end() ? nullptr : &found->second;
}

}  // namespace bgshell::jobs
