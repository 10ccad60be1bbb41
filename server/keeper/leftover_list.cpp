#include "keeper/leftover_list.hpp"

#include <algorithm>

namespace bgshell::keeper {
namespace {

constexpr std::size_t kMaxFates = 256;

bool contains(const std::vector<LivingProcess>& list, const LivingProcess& process) {
    return std::ranges::any_of(list,
                               [&](const LivingProcess& other) { return other.same_as(process); });
}

}  // namespace

bool LeftoverList::update(std::vector<LivingProcess> living, bool stopped) {
    const LeftoverFate fate = stopped ? LeftoverFate::killed : LeftoverFate::exited;
    bool changed = living.size() != living_.size();
    for (LivingProcess& process : living_) {
        if (contains(living, process)) continue;
        changed = true;
        if (gone_.size() < kMaxFates) gone_.push_back({std::move(process.name), fate});
    }
    living_ = std::move(living);
    return changed;
}

Leftovers LeftoverList::message() const {
    Leftovers message;
    for (const LivingProcess& process : living_) message.processes.push_back(process.name);
    message.count = static_cast<std::uint32_t>(living_.size());
    return message;
}

std::vector<AfterRecord::Fate> LeftoverList::fates() const {
    std::vector<AfterRecord::Fate> fates = gone_;
    for (const LivingProcess& process : living_) {
        if (fates.size() == kMaxFates) break;
        fates.push_back({process.name, LeftoverFate::survived});
    }
    return fates;
}

}  // namespace bgshell::keeper
