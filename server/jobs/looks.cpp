#include "jobs/looks.hpp"

namespace bgshell::jobs {

Look& Looks::at(const std::string& caller, const keeper::JobId& job) {
    return looks_[{job, caller}];
}

const Look* Looks::find(const std::string& caller, const keeper::JobId& job) const {
    const auto found = looks_.find({job, caller});
    return found == looks_.end() ? nullptr : &found->second;
}

void Looks::forget(const keeper::JobId& job) {
    std::erase_if(looks_, [&job](const auto& entry) { return entry.first.first == job; });
}

}  // namespace bgshell::jobs
