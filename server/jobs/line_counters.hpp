// LineCounters: the counters of the jobs that were asked for last. A counter is lent out, since it
// is used on another thread meanwhile; whoever comes then gets a new one. Loop thread only.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "jobs/line_counter.hpp"
#include "keeper/job_state.hpp"

namespace bgshell::jobs {

class LineCounters {
  public:
    [[nodiscard]] std::shared_ptr<LineCounter> take(const keeper::JobId& job) {
        const auto found = std::ranges::find(counters_, job, &Kept::job);
        if (found == counters_.end()) return std::make_shared<LineCounter>();
        auto counter = std::move(found->counter);
        counters_.erase(found);
        return counter;
    }
    void put_back(const keeper::JobId& job, std::shared_ptr<LineCounter> counter) {
        std::erase_if(counters_, [&job](const Kept& kept) { return kept.job == job; });
        if (counters_.size() >= kMost) counters_.erase(counters_.begin());
        counters_.push_back({job, std::move(counter)});
    }

  private:
    struct Kept {
        keeper::JobId job;
        std::shared_ptr<LineCounter> counter;
    };
    // As many as there are slots in a state directory; what is forgotten is counted again.
    static constexpr std::size_t kMost = 64;
    std::vector<Kept> counters_;  // the one put back last at the end
};

}  // namespace bgshell::jobs
