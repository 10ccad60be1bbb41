#include "keeper/leftovers.hpp"

#include "platform/process_tree.hpp"

namespace bgshell::keeper {

std::vector<LivingProcess> living_below(pid_t root) {
    std::vector<LivingProcess> living;
    platform::walk_below(root, [&](const platform::ProcessFacts& process) {
        if (!process.alive()) return;
        living.push_back(
            {{.pid = process.pid, .command = platform::command_line(process), .user = {}},
             process.start_ticks});
    });
    return living;
}

}  // namespace bgshell::keeper
