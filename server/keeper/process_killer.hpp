// ProcessKiller: signals everything below the keeper, and nothing else. Group by group, so that
// each process gets a signal once; setsid and double-fork descendants are reached too, because the
// keeper is their subreaper.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "keeper/records.hpp"
#include "platform/outcome.hpp"
#include "platform/process_tree.hpp"

namespace bgshell::keeper {

class ProcessKiller {
  public:
    explicit ProcessKiller(pid_t root) noexcept;

    struct Pass {
        std::size_t alive = 0;
        std::size_t refused = 0;  // of them, those that we may not signal
    };
    // `signal`, then SIGCONT, because a stopped process would not see it. Everybody is found first,
    // so that what the signal ends at once is still counted.
    Pass ask(int signal);
    // SIGKILL, to each group as soon as one of it is found: a fork bomb must not outrun the walk.
    Pass kill();

    struct Count {
        std::uint32_t gone = 0;
        std::uint32_t killed = 0;  // of them, those that got SIGKILL
        std::vector<ProcessName> survivors;
    };
    // What has become of all that was signalled since the last `forget`.
    [[nodiscard]] Count count() const;
    void forget();

  private:
    using Identity = std::pair<pid_t, std::uint64_t>;
    // The groups that were signalled in one pass, and with what outcome.
    using Groups = std::map<pid_t, platform::error_code>;
    platform::error_code signal_group_of(const platform::ProcessFacts& process, int signal,
                                         Groups& groups) const;

    pid_t root_;
    pid_t own_group_;
    std::set<Identity> signalled_;
    std::set<Identity> killed_;
};

}  // namespace bgshell::keeper
