#include "keeper/process_killer.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>

#include "keeper/leftovers.hpp"
#include "platform/pidfd.hpp"

namespace bgshell::keeper {
namespace {

using platform::error_code;
using platform::ProcessFacts;

// To one process, for certain to that one: the pid may have passed on before the pidfd was opened.
error_code signal_process(const ProcessFacts& process, int signal) {
    const auto pidfd = platform::open_pidfd(process.pid);
    if (!pidfd) return pidfd.error();
    const auto now = platform::process_facts(process.pid);
    if (!now || now->start_ticks != process.start_ticks) return platform::errno_code(ESRCH);
    return platform::send_signal(pidfd->get(), signal);
}

}  // namespace

ProcessKiller::Pass ProcessKiller::ask(int signal) {
    return pass(signal);
}

ProcessKiller::Pass ProcessKiller::kill() {
    return pass(SIGKILL);
}

ProcessKiller::Pass ProcessKiller::pass(int signal) {
    Pass result;
    const pid_t own_group = ::getpgrp();
    std::map<pid_t, error_code> groups;
    platform::walk_below(root_, [&](const ProcessFacts& process) {
        if (!process.alive()) return;
        ++result.alive;
        const Identity identity{process.pid, process.start_ticks};
        signalled_.insert(identity);
        const bool killed_before = signal == SIGKILL && !killed_.insert(identity).second;

        // A group below us has no member elsewhere: it never spans sessions, and its session was
        // made below us. Its number is not used again while the member that we found is in it.
        error_code error;
        const bool has_group = process.group > 1 && process.group != own_group;
        if (has_group) {
            const auto [group, fresh] = groups.try_emplace(process.group);
            if (fresh) {
                group->second = platform::send_signal_to_group(process.group, signal);
                if (signal != SIGKILL) {
                    (void)platform::send_signal_to_group(process.group, SIGCONT);
                }
            }
            error = group->second;
        }
        // One that a signal to its group did not end may be one that only others of the group took.
        if (!has_group || error || killed_before) {
            error = signal_process(process, signal);
            if (signal != SIGKILL && !error) (void)signal_process(process, SIGCONT);
        }
        if (error == platform::errno_code(EPERM)) ++result.refused;
    });
    return result;
}

ProcessKiller::Count ProcessKiller::count() const {
    Count count;
    std::uint32_t surviving = 0;
    std::uint32_t surviving_kill = 0;
    for (LivingProcess& process : living_below(root_)) {
        const Identity identity{process.name.pid, process.start_ticks};
        surviving += signalled_.contains(identity) ? 1 : 0;
        surviving_kill += killed_.contains(identity) ? 1 : 0;
        process.name.user = platform::user_of(process.name.pid);
        count.survivors.push_back(std::move(process.name));
    }
    count.gone = static_cast<std::uint32_t>(signalled_.size()) - surviving;
    count.killed = static_cast<std::uint32_t>(killed_.size()) - surviving_kill;
    return count;
}

void ProcessKiller::forget() {
    signalled_.clear();
    killed_.clear();
}

}  // namespace bgshell::keeper
