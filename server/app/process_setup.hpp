// What the process must settle before anything else runs, and what it was given by whoever started
// it.
#pragma once

#include <string>
#include <vector>

#include "jobs/settings.hpp"

namespace bgshell::app {

// First in main: keeps the memory of big replies instead of giving it back and faulting it in again
// (measured: a 50 KiB reply is 9x slower otherwise), opens /dev/null for each standard stream that
// is closed, so that no file of ours becomes one, and ignores SIGPIPE.
void prepare_process();

[[nodiscard]] jobs::Surroundings read_surroundings();

// The value of `name` in a list of NAME=value; empty if unset.
[[nodiscard]] std::string value_of(const std::vector<std::string>& environment,
                                   const std::string& name);

// The absolute path of this program, for settings blocks; "bgshell" if it is unknown.
[[nodiscard]] std::string program_path();

}  // namespace bgshell::app
