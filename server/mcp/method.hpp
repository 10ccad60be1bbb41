// The methods that are served, and in which era each exists. Parsed once; inside, there are no
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bgshell::mcp {

enum class Method : std::uint8_t { initialize, discover, ping, set_level, tools_list, tools_call };

[[nodiscard]] std::optional<Method> find_method(std::string_view name) noexcept;
// Whether `method` is one of the modern era or of the legacy revisions.
[[nodiscard]] bool exists(Method method, bool modern) noexcept;

enum class NotificationKind : std::uint8_t { initialized, cancelled };

// Others are dropped, as JSON-RPC demands.
[[nodiscard]] std::optional<NotificationKind> find_notification(std::string_view name) noexcept;

}  // namespace bgshell::mcp
