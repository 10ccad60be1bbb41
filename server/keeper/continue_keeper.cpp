#include "keeper/continue_keeper.hpp"

#include <poll.h>

#include <csignal>

#include "platform/pidfd.hpp"
#include "platform/process_tree.hpp"
#include "platform/seqpacket.hpp"

namespace bgshell::keeper {

bool continue_if_stopped(int job_directory) {
    const auto socket = platform::seqpacket_connect(job_directory, "sock");
    if (!socket) return false;
    const auto pid = platform::peer_process(socket->get());
    return pid && continue_if_stopped(*pid, socket->get());
}

bool continue_if_stopped(pid_t keeper, int connection) {
    const auto pidfd = platform::open_pidfd(keeper);
    if (!pidfd) return false;
    // Had it ended before that, its process id could be another's by now.
    pollfd item{connection, 0, 0};
    if (::poll(&item, 1, 0) != 0) return false;
    const auto facts = platform::process_facts(keeper);
    if (!facts || facts->state != 'T') return false;
    return !platform::send_signal(pidfd->get(), SIGCONT);
}

}  // namespace bgshell::keeper
