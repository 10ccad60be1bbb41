// LogBurst: log lines that come close together make one notifications/message. Whoever sends
// decides how close; this only gathers.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>

#include "mcp/log_level.hpp"

namespace bgshell::mcp {

class LogBurst {
  public:
    static constexpr std::size_t kMostLines = 20;  // more are counted

    // true: it is the first of a burst.
    bool add(LogLevel level, const std::string& line);
    [[nodiscard]] bool empty() const noexcept { return lines_ == 0; }
    // The params of one message with the gravest level; the next line begins a new burst.
    [[nodiscard]] boost::json::object take();

  private:
    LogLevel level_ = LogLevel::debug;
    std::size_t lines_ = 0;
    std::string text_;
};

}  // namespace bgshell::mcp
