// What a caller has not been told yet, as part of any answer.
//
//   block = header 1*5line ["and N more: " ID " " RESULT *(", " ID " " RESULT)]
//
// Every end is told in one answer: five full lines, the rest as id and result. What the answer
// states itself is named in the structure only.
#pragma once

#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "jobs/outcomes.hpp"

namespace bgshell::tools {

inline constexpr std::size_t kFullNotices = 5;
// What is beyond these stays untold until the next answer, so that one answer always has room for
// them.
inline constexpr std::size_t kNoticesOfOneAnswer = 200;
inline constexpr std::size_t kNoticeBytes = 16'000;  // of their structure, as written

struct NoticeText {
    std::vector<std::string> lines;  // the block, empty if there is nothing to say
    boost::json::array structure;    // every notice of this answer
    std::vector<std::int64_t> rows;  // their registry rows, for the offer
};

// `stated`: the jobs whose end the answer states itself. At most `limit` notices.
[[nodiscard]] NoticeText notice_text(const jobs::NoticeBlock& notices,
                                     const std::vector<jobs::JobId>& stated,
                                     const std::string& send_tool,
                                     std::size_t limit = kNoticesOfOneAnswer);

}  // namespace bgshell::tools
