#include "tools/client_profile.hpp"

#include <algorithm>

namespace bgshell::tools {
namespace {

using platform::Milliseconds;

struct Known {
    std::string_view prefix;
    Milliseconds wait_ceiling;
    bool show_structure;
    bool background;
};

constexpr Milliseconds kUnknown{50'000};  // the official SDK's clients give up after 60 s

// The first prefix that fits. Claude Desktop calls itself claude-ai.
constexpr Known kClients[] = {
    {"claude-code", Milliseconds{1'500'000}, false, true},
    {"claude-desktop", Milliseconds{45'000}, true, false},
    {"claude-ai", Milliseconds{45'000}, true, false},
    {"gemini", Milliseconds{540'000}, true, false},
    {"codex-mcp-client", Milliseconds{240'000}, false, false},
    {"codex", Milliseconds{240'000}, true, false},
    {"goose", Milliseconds{240'000}, true, false},
    {"visual-studio-code", Milliseconds{240'000}, false, false},
    {"copilot", kUnknown, false, false},
    {"opencode", Milliseconds{1'500'000}, false, false},
};

char plain(char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == ' ' ? '-' : c;
}

}  // namespace

ClientProfile client_profile(std::string_view client_name) {
    std::string name{client_name};
    std::transform(name.begin(), name.end(), name.begin(), plain);
    ClientProfile profile;
    profile.name = client_name;
    profile.wait_ceiling = kUnknown;
    for (const Known& known : kClients) {
        if (!name.starts_with(known.prefix)) continue;
        profile.wait_ceiling = known.wait_ceiling;
        profile.show_structure = known.show_structure;
        profile.moves_long_calls_to_background = known.background;
        break;
    }
    return profile;
}

void LearnedCeilings::wait_was_cut(const std::string& client_name, Milliseconds after) {
    if (after < kShortestClock) return;
    const Milliseconds learned = after * 3 / 4;
    const auto [entry, fresh] = by_client_.try_emplace(client_name, learned);
    if (!fresh) entry->second = std::min(entry->second, learned);
}

Milliseconds LearnedCeilings::ceiling(const ClientProfile& profile) const {
    const auto entry = by_client_.find(profile.name);
    if (entry == by_client_.end()) return profile.wait_ceiling;
    return std::min(entry->second, profile.wait_ceiling);
}

}  // namespace bgshell::tools
