// AwaitRule: when a wait over several jobs is over. No I/O: the facts of each job go in, the reason
// to answer comes out, or none.
#pragma once

#include <optional>
#include <span>

#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

// What is true of one awaited job now.
struct AwaitFacts {
    bool ended = false;
    bool end_untold = false;  // its end has not been told to the caller
    bool matched = false;     // `wait_for` of this call, or else it became ready and that is untold
    bool quiet = false;       // silent for as long as this call asks
    bool ready_service = false;  // a service that is ready: nobody waits for its end by `all`
};

// any: an untold end, a match or the silence of one job; or all have ended, told or not.
// all: each job has ended, matched, fallen silent or is a ready service.
// No job at all ends every wait (by `exit`).
[[nodiscard]] std::optional<EndedBy> await_over(AwaitMode mode, std::span<const AwaitFacts> jobs);

}  // namespace bgshell::jobs
