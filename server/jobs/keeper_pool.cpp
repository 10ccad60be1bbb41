#include "jobs/keeper_pool.hpp"

#include <utility>

#include "keeper/spawn_keeper.hpp"

namespace bgshell::jobs {

platform::Outcome<platform::UniqueFd> KeeperPool::take() {
    if (spare_) return std::exchange(spare_, platform::UniqueFd{});
    return take_new();
}

platform::Outcome<platform::UniqueFd> KeeperPool::take_new() {
    return keeper::spawn_keeper();
}

void KeeperPool::refill() {
    claimed_ = false;
    if (spare_) return;
    if (auto fresh = keeper::spawn_keeper()) spare_ = std::move(*fresh);
}

}  // namespace bgshell::jobs
