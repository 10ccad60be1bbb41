#include "jobs/offers.hpp"

#include <algorithm>
#include <utility>

namespace bgshell::jobs {

OfferId Offers::open(const std::string& caller, Content content) {
    const OfferId id = ++last_;
    Offer offer{caller, std::move(content), {}, false};
    for (const auto* list : {&offer.content.notices, &offer.content.complete}) {
        for (const auto notice : *list) {
            auto& entry = notices_[notice];
            ++entry.made;
            entry.open = id;
        }
    }
    if (const auto waiting = lost_starts_.find(caller); waiting != lost_starts_.end()) {
        auto& starts = waiting->second;
        for (const auto& start : starts) {
            if (start.named) offer.lost_starts.push_back(start.start);
        }
        std::erase_if(starts, [](const WaitingStart& start) { return start.named; });
        if (starts.empty()) lost_starts_.erase(waiting);
    }
    offers_.emplace(id, std::move(offer));
    return id;
}

void Offers::tell(std::int64_t notice, Told& told) {
    if (notices_.erase(notice) > 0) told.notices.push_back(notice);
}

Offers::Told Offers::written(OfferId id) {
    Told told;
    const auto found = offers_.find(id);
    if (found == offers_.end()) return told;
    auto& offer = found->second;
    offer.written = true;
    for (const auto notice : offer.content.complete) tell(notice, told);
    for (const auto notice : offer.content.notices) {
        const auto entry = notices_.find(notice);
        if (entry != notices_.end() && entry->second.made > 1) tell(notice, told);
    }
    return told;
}

void Offers::lost(OfferId id) {
    const auto found = offers_.find(id);
    if (found == offers_.end()) return;
    Offer offer = std::move(found->second);
    offers_.erase(found);
    for (const auto* list : {&offer.content.notices, &offer.content.complete}) {
        for (const auto notice : *list) {
            const auto entry = notices_.find(notice);
            if (entry != notices_.end() && entry->second.open == id) entry->second.open = 0;
        }
    }
    for (auto& start : offer.lost_starts) lose(offer.caller, std::move(start));
    if (offer.content.started) {
        lose(offer.caller, {std::move(*offer.content.started), offer.written});
    }
}

Offers::Told Offers::call_arrived(const std::string& caller) {
    Told told;
    for (auto entry = offers_.begin(); entry != offers_.end();) {
        auto& offer = entry->second;
        if (!offer.written || offer.caller != caller) {
            ++entry;
            continue;
        }
        for (const auto notice : offer.content.notices) tell(notice, told);
        for (auto& look : offer.content.looks) told.looks.push_back(std::move(look));
        entry = offers_.erase(entry);
    }
    return told;
}

Offers::Standing Offers::standing(std::int64_t notice) const {
    const auto entry = notices_.find(notice);
    if (entry == notices_.end()) return Standing::untold;
    return entry->second.open == 0 ? Standing::untold_again : Standing::offered;
}

void Offers::lose(const std::string& caller, LostStart start) {
    auto& starts = lost_starts_[caller];
    const auto same = [&](const WaitingStart& other) { return other.start.job == start.job; };
    if (std::ranges::none_of(starts, same)) starts.push_back({std::move(start), false});
}

std::vector<Offers::LostStart> Offers::lost_starts(const std::string& caller) {
    std::vector<LostStart> lost;
    const auto waiting = lost_starts_.find(caller);
    if (waiting == lost_starts_.end()) return lost;
    for (auto& start : waiting->second) {
        start.named = lost.size() < kNamedStarts;
        if (!start.named) break;
        lost.push_back(start.start);
    }
    return lost;
}

}  // namespace bgshell::jobs
