// Notice: something about a job that its owner must be told, once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keeper/job_state.hpp"
#include "platform/clock.hpp"

namespace bgshell::store {

enum class NoticeKind : std::uint8_t { ended, limit_near, leftovers_ended };
[[nodiscard]] std::string_view to_string(NoticeKind kind) noexcept;
[[nodiscard]] std::optional<NoticeKind> parse_notice_kind(std::string_view word) noexcept;

struct Notice {
    std::int64_t row = 0;
    keeper::JobId job;
    NoticeKind kind = NoticeKind::ended;
    std::int64_t seq = 0;  // 1, 2, … among those of this job and kind
    std::string text;      // what the row itself cannot say, e.g. how the leftovers ended
    std::string owner;     // of the job
    platform::WallTime created{};
};

}  // namespace bgshell::store
