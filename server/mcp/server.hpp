// Server: what all connections of one program share, and none changes.
#pragma once

#include <functional>
#include <string>

#include "platform/clock.hpp"
#include "tools/tool_set.hpp"

namespace bgshell::mcp {

struct ServerInfo {
    std::string name;
    std::string title;
    std::string version;
    std::string description;
    std::string website_url;  // empty: none is told
};

// What it refers to outlives it.
struct Server {
    ServerInfo info;
    tools::ToolSet& tools;
    const platform::Clock& clock;
    // For the operator: a fault of ours, in one line.
    std::function<void(const std::string& line)> report;
};

}  // namespace bgshell::mcp
