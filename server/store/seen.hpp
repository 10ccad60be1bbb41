// Seen: up to where a caller has been shown the log of a job ("your last look").
#pragma once

#include <cstdint>
#include <string>

#include "keeper/job_state.hpp"

namespace bgshell::store {

struct Seen {
    std::string caller;
    keeper::JobId job;
    std::uint64_t offset = 0;
};

}  // namespace bgshell::store
