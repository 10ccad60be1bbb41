#include "mcp/log_burst.hpp"

#include <algorithm>
#include <utility>

namespace bgshell::mcp {

bool LogBurst::add(LogLevel level, const std::string& line) {
    level_ = lines_ == 0 ? level : std::max(level_, level);
    if (++lines_ > kMostLines) return false;
    if (lines_ > 1) text_ += '\n';
    text_ += line;
    return lines_ == 1;
}

boost::json::object LogBurst::take() {
    if (lines_ > kMostLines) text_ += "\nand " + std::to_string(lines_ - kMostLines) + " more";
    lines_ = 0;
    boost::json::object params;
    params["level"] = name_of(level_);
    params["logger"] = "jobs";
    params["data"] = std::exchange(text_, {});
    return params;
}

}  // namespace bgshell::mcp
