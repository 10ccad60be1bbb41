#include "app/configuration.hpp"

namespace bgshell::app {

std::string_view to_string(StructuredMode mode) noexcept {
    switch (mode) {
        case StructuredMode::automatic:
            return "auto";
        case StructuredMode::on:
            return "on";
        case StructuredMode::off:
            return "off";
    }
    return {};
}

std::optional<StructuredMode> parse_structured_mode(std::string_view word) noexcept {
    for (const auto mode : {StructuredMode::automatic, StructuredMode::on, StructuredMode::off}) {
        if (to_string(mode) == word) return mode;
    }
    return std::nullopt;
}

std::string_view to_string(LogLevel level) noexcept {
    switch (level) {
        case LogLevel::error:
            return "error";
        case LogLevel::warn:
            return "warn";
        case LogLevel::info:
            return "info";
        case LogLevel::debug:
            return "debug";
    }
    return {};
}

std::optional<LogLevel> parse_log_level(std::string_view word) noexcept {
    for (const auto level : {LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug}) {
        if (to_string(level) == word) return level;
    }
    return std::nullopt;
}

}  // namespace bgshell::app
