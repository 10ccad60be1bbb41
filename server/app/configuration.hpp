// Configuration: everything that a user can set, as one value that is passed down. Made by
// configuration_reader.hpp from the layers; its defaults are the lowest layer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "jobs/settings.hpp"

namespace bgshell::app {

// When tool results carry structuredContent. Enumerators but `automatic` are their words.
enum class StructuredMode : std::uint8_t {
    automatic,  // "auto": unless the client is known to hide the text then
    on,
    off,
};
[[nodiscard]] std::string_view to_string(StructuredMode mode) noexcept;
[[nodiscard]] std::optional<StructuredMode> parse_structured_mode(std::string_view word) noexcept;

// How much is said on stderr. Each level includes those before it.
enum class LogLevel : std::uint8_t {
    error,  // the operator must act
    warn,   // something works less well than asked for
    info,   // once per job event at most
    debug,  // once per request
};
[[nodiscard]] std::string_view to_string(LogLevel level) noexcept;
[[nodiscard]] std::optional<LogLevel> parse_log_level(std::string_view word) noexcept;

struct Configuration {
    jobs::Settings jobs;
    StructuredMode structured = StructuredMode::automatic;
    std::string tool_prefix;  // before the name of each tool
    bool network_store = false;
    LogLevel log_level = LogLevel::warn;
};

}  // namespace bgshell::app
