#include "keeper/spawn_keeper.hpp"

#include <fcntl.h>

#include <string>

#include "platform/seqpacket.hpp"
#include "platform/spawn.hpp"

namespace bgshell::keeper {

platform::Outcome<SpawnedKeeper> spawn_keeper() {
    auto pair = platform::seqpacket_pair();
    if (!pair) return pair.error();
    auto& [ours, theirs] = *pair;
    const platform::UniqueFd nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    if (!nothing) return platform::last_error();

    platform::SpawnOrder order;
    order.program = "/proc/self/exe";
    order.arguments = {std::string{kKeeperName}};
    order.standard_input = order.standard_output = order.standard_error = nothing.get();
    order.descriptor_3 = theirs.get();
    auto parent = platform::spawn(std::move(order));
    if (!parent) return parent.error();
    return SpawnedKeeper{std::move(ours), std::move(parent->pidfd)};
}

}  // namespace bgshell::keeper
