#include "mcp/progress.hpp"

#include <algorithm>
#include <utility>

namespace bgshell::mcp {

Progress::Progress(boost::json::value token, bool with_message, platform::Instant started)
    : token_(std::move(token)),  // braces would make an array of it
      with_message_{with_message},
      started_{started},
      due_{started + kInterval} {}

boost::json::object Progress::next(platform::Instant now, const std::string& line) {
    const std::int64_t seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now - started_).count();
    last_ = std::max(last_ + 1, seconds);
    due_ = now + kInterval;
    boost::json::object params;
    params["progressToken"] = token_;
    params["progress"] = last_;
    if (with_message_ && !line.empty()) params["message"] = line;
    return params;
}

}  // namespace bgshell::mcp
