// LogLevel: severities of notifications/message, in growing order. Enumerators are the wire words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bgshell::mcp {

enum class LogLevel : std::uint8_t {
    debug,
    info,
    notice,
    warning,
    error,
    critical,
    alert,
    emergency,
};

inline constexpr std::array<std::string_view, 8> kLogLevelNames = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

[[nodiscard]] constexpr std::string_view name_of(LogLevel level) noexcept {
    return kLogLevelNames[static_cast<std::size_t>(level)];
}

[[nodiscard]] constexpr std::optional<LogLevel> find_log_level(std::string_view name) noexcept {
    for (std::size_t index = 0; index < kLogLevelNames.size(); ++index) {
        if (kLogLevelNames[index] == name) return static_cast<LogLevel>(index);
    }
    return std::nullopt;
}

}  // namespace bgshell::mcp
