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
    if (!pid) return false;
    const auto pidfd = platform::open_pidfd(*pid);
    if (!pidfd) return false;
    // Had the listener ended before that, its process id could be another's by now.
    pollfd connection{socket->get(), 0, 0};
    if (::poll(&connection, 1, 0) != 0) return false;
    const auto facts = platform::process_facts(*pid);
    if (!facts || facts->state != 'T') return false;
    return !platform::send_signal(pidfd->get(), SIGCONT);
}

}  // namespace bgshell::keeper
