#include "mcp/caller.hpp"

#include <array>
#include <string_view>

namespace bgshell::mcp {

namespace {

// The chat of VS Code; the session of Goose.
constexpr std::array<std::string_view, 2> kConversationKeys = {"vscode.conversationId",
                                                               "agent-session-id"};
// It becomes part of a registry key.
constexpr std::size_t kLongestConversation = 200;

}  // namespace

jobs::Caller caller_of(const std::string& owner, const boost::json::object& params) {
    jobs::Caller caller;
    caller.owner = owner;
    const auto* const given = params.if_contains("_meta");
    const auto* const meta = given == nullptr ? nullptr : given->if_object();
    if (meta == nullptr) return caller;
    for (const std::string_view key : kConversationKeys) {
        const auto* const value = meta->if_contains(key);
        const auto* const text = value == nullptr ? nullptr : value->if_string();
        if (text == nullptr || text->empty() || text->size() > kLongestConversation) continue;
        caller.conversation = std::string_view{*text};
        break;
    }
    return caller;
}

}  // namespace bgshell::mcp
