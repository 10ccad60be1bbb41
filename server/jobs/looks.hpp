// Looks: what each caller has seen of each job, in memory. No I/O: "your last look" itself is also
// written to the registry by whoever moves it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "jobs/outcomes.hpp"
#include "jobs/view.hpp"
#include "keeper/job_state.hpp"

namespace bgshell::jobs {

// What one caller has seen of one job.
struct Look {
    // Up to here of the log; nullopt: the registry has not been asked.
    std::optional<std::uint64_t> offset;
    // Whether a wait_for of this caller has searched the job, where its last match ended, and that
    // match.
    bool searched = false;
    std::uint64_t match_end = 0;
    std::optional<Match> last_match;
    // The caller has been shown a search.
    void pass(const Searched& search) {
        searched = true;
        match_end = std::max(match_end, search.match_end);
        if (search.last_match) last_match = search.last_match;
    }
    // Where the next wait_for starts: all of the output at first, later what neither look nor match
    // has passed.
    [[nodiscard]] std::uint64_t search_from() const {
        if (!searched) return 0;
        return std::max(offset.value_or(0), match_end);
    }
};

class Looks {
  public:
    // Made on first use. The reference stays valid until `forget`.
    [[nodiscard]] Look& at(const std::string& caller, const keeper::JobId& job);
    // Null if this caller has never seen it.
    [[nodiscard]] const Look* find(const std::string& caller, const keeper::JobId& job) const;
    void forget(const keeper::JobId& job);

  private:
    std::map<std::pair<keeper::JobId, std::string>, Look> looks_;
};

}  // namespace bgshell::jobs
