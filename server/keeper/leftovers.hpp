// What lives below the keeper, by name.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "keeper/records.hpp"

namespace bgshell::keeper {

struct LivingProcess {
    ProcessName name;
    std::uint64_t start_ticks = 0;  // with the pid it names a process for good
    [[nodiscard]] bool same_as(const LivingProcess& other) const noexcept {
        return name.pid == other.name.pid && start_ticks == other.start_ticks;
    }
};

// Every process below `root` that lives. May wait for one that is stuck in the kernel.
[[nodiscard]] std::vector<LivingProcess> living_below(pid_t root);

}  // namespace bgshell::keeper
