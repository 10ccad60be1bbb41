// Settings: the part of the configuration that the domain obeys. Values, checked by whoever read
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keeper/job_state.hpp"
#include "platform/clock.hpp"

namespace bgshell::jobs {

struct Settings {
    // [limits]
    std::uint32_t slots = 16;
    std::uint32_t slots_total = 64;
    platform::Milliseconds runtime_limit{1'800'000};
    platform::Milliseconds runtime_limit_max{86'400'000};
    std::uint64_t output_limit_bytes = 32ULL << 20;
    keeper::OutputLimitMode output_limit_mode = keeper::OutputLimitMode::roll;
    std::uint64_t disk_budget_bytes = 1ULL << 30;
    // [session]
    platform::Milliseconds orphan_grace{120'000};
    // [shell]
    std::string shell_path;  // empty: bash, else $SHELL if zsh, else /bin/sh
    bool login_path = true;  // complete PATH by the user's login shell
    // [env]
    std::vector<std::string> env_set;    // NAME=value
    std::vector<std::string> env_unset;  // NAME
};

// What the process was given: read once by the composition, so that tests can give another.
struct Surroundings {
    std::vector<std::string> environment;  // NAME=value
    std::string working_directory;         // empty: it has been removed
    std::string removed_directory;         // its former name then, where the kernel tells it
    std::string home;
    std::uint64_t open_files_soft = 0;  // RLIMIT_NOFILE as inherited
    std::uint64_t open_files_hard = 0;
};

}  // namespace bgshell::jobs
