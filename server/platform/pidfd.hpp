// Processes by pidfd: their end as a value, and signals that can never reach a stranger.
#pragma once

#include <sys/types.h>

#include <optional>
#include <variant>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {

// How a process ended. Two types: death by a signal is never an exit code.
struct Exited {
    int code = 0;
    friend bool operator==(const Exited&, const Exited&) = default;
};
struct Signalled {
    int signal = 0;
    friend bool operator==(const Signalled&, const Signalled&) = default;
};
using ExitStatus = std::variant<Exited, Signalled>;

enum class Wait { not_at_all, until_exit };

// A descriptor that becomes readable when the process has ended (all its threads). ESRCH if there
// is none; EINVAL for pids below 2, which are never ours.
[[nodiscard]] Outcome<UniqueFd> open_pidfd(pid_t pid);
[[nodiscard]] error_code send_signal(int pidfd, int signal) noexcept;
// To every member of a process group. EINVAL for groups below 2, which would mean other processes
// than named. EPERM: not one member may be signalled by us.
[[nodiscard]] error_code send_signal_to_group(pid_t group, int signal) noexcept;

// How a child of ours ended, which stays unreaped; nullopt: it lives.
[[nodiscard]] Outcome<std::optional<ExitStatus>> peek_exit(int pidfd) noexcept;
// The same, and reaps it.
[[nodiscard]] Outcome<std::optional<ExitStatus>> reap(int pidfd, Wait wait) noexcept;
[[nodiscard]] Outcome<std::optional<ExitStatus>> reap_pid(pid_t pid, Wait wait) noexcept;
// The pid of some child that has ended and stays unreaped; 0: none has. ECHILD: there are no
// children.
[[nodiscard]] Outcome<pid_t> peek_any_child() noexcept;

}  // namespace bgshell::platform
