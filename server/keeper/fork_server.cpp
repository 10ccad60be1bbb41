#include "keeper/fork_server.hpp"

#include <fcntl.h>

#include <array>
#include <string>

#include "platform/seqpacket.hpp"
#include "platform/spawn.hpp"

namespace bgshell::keeper {

platform::Outcome<ForkServer::Started> ForkServer::start() {
    auto pair = platform::seqpacket_pair();
    if (!pair) return pair.error();
    auto& [ours, theirs] = *pair;
    ForkServer server{std::move(ours)};
    // It finds this when it comes up.
    auto birth = server.fork_keeper();
    if (!birth) return birth.error();
    const platform::UniqueFd nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    if (!nothing) return platform::last_error();

    platform::SpawnOrder order;
    order.program = "/proc/self/exe";
    order.arguments = {std::string{kKeeperName}};
    order.standard_input = order.standard_output = order.standard_error = nothing.get();
    order.descriptor_3 = theirs.get();
    auto parent = platform::spawn(std::move(order));
    if (!parent) return parent.error();
    return Started{std::move(server), std::move(*birth), std::move(parent->pidfd)};
}

platform::Outcome<platform::UniqueFd> ForkServer::fork_keeper() const {
    auto pair = platform::seqpacket_pair();
    if (!pair) return pair.error();
    auto& [ours, theirs] = *pair;
    const std::array<int, 1> descriptors{theirs.get()};
    if (const auto error = platform::send_packet(requests_.get(), kForkRequest, descriptors)) {
        return error;
    }
    return std::move(ours);
}

}  // namespace bgshell::keeper
