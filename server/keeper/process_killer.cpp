#include "keeper/process_killer.hpp"

#include <unistd.h>

#include <csignal>

#include "keeper/leftovers.hpp"
#include "platform/pidfd.hpp"

namespace bgshell::keeper {
namespace {

using platform::error_code;
using platform::ProcessFacts;

constexpr std::size_t kMostAtOnce = 4096;

bool refused(const error_code& error) {
    return error == platform::errno_code(EPERM);
}

std::pair<pid_t, std::uint64_t> identity(const ProcessFacts& process) {
    return {process.pid, process.start_ticks};
}

// To one process, for certain to that one: the pid may have passed on before the pidfd was opened.
error_code signal_process(const ProcessFacts& process, int signal) {
    const auto pidfd = platform::open_pidfd(process.pid);
    if (!pidfd) return pidfd.error();
    const auto now = platform::process_facts(process.pid);
    if (!now || now->start_ticks != process.start_ticks) return platform::errno_code(ESRCH);
    return platform::send_signal(pidfd->get(), signal);
}

// Of the process itself: the signal to its group succeeds if any member may be signalled.
Survival survival_of(const LivingProcess& process) {
    const auto facts = platform::process_facts(process.name.pid);
    if (!facts || facts->start_ticks != process.start_ticks) return Survival::unknown;
    if (refused(signal_process(*facts, 0))) return Survival::refused;
    return facts->state == 'D' ? Survival::in_kernel : Survival::unknown;
}

}  // namespace

ProcessKiller::ProcessKiller(pid_t root) noexcept : root_{root}, own_group_{::getpgrp()} {}

ProcessKiller::Pass ProcessKiller::ask(int signal) {
    std::vector<ProcessFacts> living;
    platform::walk_below(root_, [&](const ProcessFacts& process) {
        if (process.alive()) living.push_back(process);
        return living.size() < kMostAtOnce;
    });
    Pass result;
    Groups groups;
    for (const ProcessFacts& process : living) {
        ++result.alive;
        signalled_.insert(identity(process));
        if (refused(signal_group_of(process, signal, groups))) ++result.refused;
    }
    return result;
}

ProcessKiller::Pass ProcessKiller::kill() {
    Pass result;
    Groups groups;
    std::size_t found = 0;
    platform::walk_below(root_, [&](const ProcessFacts& process) {
        // A zombie of a group that this pass has killed lived when the pass began.
        if (process.alive() || groups.contains(process.group)) {
            signalled_.insert(identity(process));
            const bool fresh = killed_.insert(identity(process)).second;
            if (process.alive()) {
                ++result.alive;
                error_code error = signal_group_of(process, SIGKILL, groups);
                // A signal to the group succeeds if one member gets it: did this one?
                if (!fresh && !error) error = signal_process(process, SIGKILL);
                if (refused(error)) ++result.refused;
            }
        }
        return ++found < kMostAtOnce;
    });
    return result;
}

error_code ProcessKiller::signal_group_of(const ProcessFacts& process, int signal,
                                          Groups& groups) const {
    const auto send = [&](auto&& target, auto&& function) {
        const error_code error = function(target, signal);
        if (signal != SIGKILL && !error) (void)function(target, SIGCONT);
        return error;
    };
    if (process.group < 2 || process.group == own_group_) return send(process, signal_process);
    const auto [group, fresh] = groups.try_emplace(process.group);
    // A group below us has no member elsewhere: it never spans sessions, and its session was made
    // below us. Its number is not used again while a member is in it, and one was, this very
    // moment.
    if (fresh) group->second = send(process.group, platform::send_signal_to_group);
    return group->second;
}

ProcessKiller::Count ProcessKiller::count() const {
    Count count;
    std::uint32_t surviving = 0;
    std::uint32_t surviving_kill = 0;
    for (LivingProcess& process : living_below(root_)) {
        const Identity who{process.name.pid, process.start_ticks};
        surviving += signalled_.contains(who) ? 1 : 0;
        surviving_kill += killed_.contains(who) ? 1 : 0;
        process.name.user = platform::user_of(process.name.pid);
        process.name.survival = survival_of(process);
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
