#include "mcp/method.hpp"

#include <array>

namespace bgshell::mcp {

namespace {

struct Row {
    std::string_view name;
    Method method;
    bool legacy = false;
    bool modern = false;
};

constexpr std::array kMethods = {
    Row{"tools/call", Method::tools_call, true, true},
    Row{"tools/list", Method::tools_list, true, true},
    Row{"server/discover", Method::discover, false, true},
    Row{"initialize", Method::initialize, true, false},
    Row{"ping", Method::ping, true, false},
    Row{"logging/setLevel", Method::set_level, true, false},
};

}  // namespace

std::optional<Method> find_method(std::string_view name) noexcept {
    for (const Row& row : kMethods) {
        if (row.name == name) return row.method;
    }
    return std::nullopt;
}

bool exists(Method method, bool modern) noexcept {
    for (const Row& row : kMethods) {
        if (row.method == method) return modern ? row.modern : row.legacy;
    }
    return false;
}

std::optional<NotificationKind> find_notification(std::string_view name) noexcept {
    if (name == "notifications/cancelled") return NotificationKind::cancelled;
    if (name == "notifications/initialized") return NotificationKind::initialized;
    return std::nullopt;
}

}  // namespace bgshell::mcp
