// Progress: when an open call that gave a progressToken says that it is alive, and how. A client
// that counts on it ends calls that were silent for 15 s or more.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>

#include "platform/clock.hpp"

namespace bgshell::mcp {

class Progress {
  public:
    static constexpr std::chrono::seconds kInterval{10};

    // `token` as it came. `with_message`: the revision knows a text beside the number.
    Progress(boost::json::value token, bool with_message, platform::Instant started);
    [[nodiscard]] platform::Instant due() const noexcept { return due_; }
    // The params of the notification at `now`, and the next one's time. The number is the seconds
    // since the start, and grows each time. An empty `line` is left out.
    [[nodiscard]] boost::json::object next(platform::Instant now, const std::string& line);

  private:
    boost::json::value token_;
    bool with_message_;
    platform::Instant started_;
    platform::Instant due_;
    std::int64_t last_ = 0;
};

}  // namespace bgshell::mcp
