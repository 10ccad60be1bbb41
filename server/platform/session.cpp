#include "platform/session.hpp"

#include <signal.h>

#include <charconv>
#include <string_view>

#include "platform/directory_stream.hpp"
#include "platform/pidfd.hpp"
#include "platform/process_tree.hpp"

namespace bgshell::platform {
namespace {

bool is_living_member(pid_t pid, pid_t session) {
    const auto facts = process_facts(pid);
    return facts && facts->session == session && facts->alive();
}

// Whether a living member was found.
bool kill_members(pid_t session) {
    const DirectoryStream processes{::opendir("/proc")};
    if (!processes) return false;
    bool found = false;
    while (const dirent* entry = ::readdir(processes.get())) {
        const std::string_view name = entry->d_name;
        pid_t pid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc{} || end != name.data() + name.size()) continue;
        if (!is_living_member(pid, session)) continue;
        const auto pidfd = open_pidfd(pid);
        // Asked again: the number may have passed to another process before it was opened.
        if (!pidfd || !is_living_member(pid, session)) continue;
        found = true;
        (void)send_signal(pidfd->get(), SIGKILL);
    }
    return found;
}

}  // namespace

void kill_session(pid_t session) {
    // A killed process counts as living until it is through its exit; one that forks all the time
    // can outrun a look, hence several.
    constexpr int kLooks = 20;
    (void)send_signal_to_group(session, SIGKILL);
    for (int look = 0; look < kLooks && kill_members(session); ++look) {
    }
}

}  // namespace bgshell::platform
