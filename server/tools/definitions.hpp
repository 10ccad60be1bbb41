// The published definitions of the six tools, made from schemas/.
#pragma once

#include <string>
#include <vector>

#include "tools/tool_set.hpp"

namespace bgshell::tools {

// When structuredContent is sent. `automatic`: to clients that do not show it instead of the text.
enum class StructureMode : std::uint8_t { automatic, on, off };

struct ToolSettings {
    StructureMode structured = StructureMode::automatic;
    std::string tool_prefix;                               // before every tool's name
    platform::Milliseconds runtime_limit_max{86'400'000};  // the ceiling of runtime_limit_s
};

enum class Tool : std::uint8_t { start, await, output, send, cancel, list };
inline constexpr std::size_t kToolCount = 6;

// In the order of Tool. Lists must not vary per connection, so that output schemas are in it with
// mode `on` only.
[[nodiscard]] std::vector<ToolDefinition> make_definitions(const ToolSettings& settings);

}  // namespace bgshell::tools
