#include "platform/pidfd.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bgshell::platform {
namespace {

ExitStatus status_of(const siginfo_t& info) noexcept {
    if (info.si_code == CLD_EXITED) return Exited{info.si_status};
    return Signalled{info.si_status};
}

Outcome<std::optional<ExitStatus>> wait_for(idtype_t kind, id_t id, int flags) noexcept {
    siginfo_t info{};
    if (retry_eintr([&] { return ::waitid(kind, id, &info, WEXITED | __WALL | flags); }) != 0) {
        return last_error();
    }
    if (info.si_pid == 0) return std::optional<ExitStatus>{};
    return std::optional<ExitStatus>{status_of(info)};
}

int flags_of(Wait wait) noexcept {
    return wait == Wait::not_at_all ? WNOHANG : 0;
}

}  // namespace

Outcome<UniqueFd> open_pidfd(pid_t pid) {
    if (pid < 2) return errno_code(EINVAL);
    // By number: the header of glibc 2.36 lacks the C linkage. Close-on-exec by itself.
    UniqueFd fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
    if (!fd) return last_error();
    return fd;
}

error_code send_signal(int pidfd, int signal) noexcept {
    if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) != 0) return last_error();
    return {};
}

error_code send_signal_to_group(pid_t group, int signal) noexcept {
    if (group < 2) return errno_code(EINVAL);
    if (::kill(-group, signal) != 0) return last_error();
    return {};
}

Outcome<std::optional<ExitStatus>> peek_exit(int pidfd) noexcept {
    return wait_for(P_PIDFD, static_cast<id_t>(pidfd), WNOHANG | WNOWAIT);
}

Outcome<std::optional<ExitStatus>> reap(int pidfd, Wait wait) noexcept {
    return wait_for(P_PIDFD, static_cast<id_t>(pidfd), flags_of(wait));
}

Outcome<std::optional<ExitStatus>> reap_pid(pid_t pid, Wait wait) noexcept {
    return wait_for(P_PID, static_cast<id_t>(pid), flags_of(wait));
}

Outcome<pid_t> peek_any_child() noexcept {
    siginfo_t info{};
    const auto call = [&] {
        return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL);
    };
    if (retry_eintr(call) != 0) return last_error();
    return info.si_pid;
}

}  // namespace bgshell::platform
