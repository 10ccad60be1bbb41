// LineCounters: the counters of the jobs that were asked for last. A counter is lent out, since it
// is used on another thread meanwhile; whoever comes then gets a new one. Loop thread only.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "jobs/line_counter.hpp"
#include "keeper/job_state.hpp"

namespace bgshell::jobs {

class LineCounters {
  public:
    [[nodiscard]] std::shared_ptr<LineCounter> take(const keeper::JobId& job) {
        const auto found = counters_.find(job);
        if (found == counters_.end()) return std::make_shared<LineCounter>();
        auto counter = std::move(found->second);
        counters_.erase(found);
        return counter;
    }
    void put_back(const keeper::JobId& job, std::shared_ptr<LineCounter> counter) {
        if (counters_.size() >= kMost) counters_.clear();
        counters_.insert_or_assign(job, std::move(counter));
    }

  private:
    // As many as there are slots in a state directory; what is forgotten is counted again.
    static constexpr std::size_t kMost = 64;
    std::unordered_map<keeper::JobId, std::shared_ptr<LineCounter>> counters_;
};

}  // namespace bgshell::jobs
