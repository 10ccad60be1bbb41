// NoticeBoard: the notices of this owner's jobs that have not been told, in memory. No I/O: the
// registry is written beside it, in the same order.
//
// A notice is for the conversation that started its job, and for callers that name no conversation;
// one of a job that no conversation started is for everybody of the owner.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/job.hpp"
#include "store/registry.hpp"

namespace bgshell::jobs {

struct BoardNotice {
    std::int64_t number = 0;  // of this board; never reused
    store::NoticeKind kind = store::NoticeKind::ended;
    std::string text;
    platform::WallTime created{};
    std::shared_ptr<Job> job;
};

class NoticeBoard {
  public:
    std::int64_t add(store::NoticeKind kind, std::shared_ptr<Job> job, std::string text,
                     platform::WallTime now);
    // Oldest first.
    [[nodiscard]] std::vector<BoardNotice> for_conversation(const std::string& conversation) const;
    // Whether notices of this job are for that conversation.
    [[nodiscard]] static bool concerns(const Job& job, const std::string& conversation);
    [[nodiscard]] std::optional<std::int64_t> find(const keeper::JobId& job,
                                                   store::NoticeKind kind) const;
    // Takes told ones off the board; numbers that are not on it are ignored.
    std::vector<BoardNotice> take(const std::vector<std::int64_t>& numbers);
    // Takes all of a job off.
    void forget(const keeper::JobId& job);
    [[nodiscard]] const BoardNotice* get(std::int64_t number) const;

  private:
    std::int64_t last_ = 0;
    std::map<std::int64_t, BoardNotice> notices_;
};

}  // namespace bgshell::jobs
