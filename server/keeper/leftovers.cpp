#include "keeper/leftovers.hpp"

#include "platform/process_tree.hpp"

namespace bgshell::keeper {
namespace {

// More would be a fork bomb, which nobody wants to read the names of.
constexpr std::size_t kMost = 4096;

}  // namespace

std::vector<LivingProcess> living_below(pid_t root) {
    std::vector<LivingProcess> living;
    platform::walk_below(root, [&](const platform::ProcessFacts& process) {
        if (!process.alive()) return true;
        living.push_back(
            {{.pid = process.pid, .command = platform::command_line(process), .user = {}},
             process.start_ticks});
        return living.size() < kMost;
    });
    return living;
}

}  // namespace bgshell::keeper
