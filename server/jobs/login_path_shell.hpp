// The login shell that is asked for its PATH, started through Boost.Process.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::jobs {

struct LoginShell {
    pid_t pid = 0;  // leads its own session; reaping it is the caller's
    platform::UniqueFd pidfd;
    platform::UniqueFd output;  // reading end of its stdout
};

// Runs `program` `arguments` in a session of its own, without a terminal, stdin and stderr on
// /dev/null, default signals, no other descriptor of ours, in `directory` (`/` if that cannot be
// entered). The error is that of the step that failed, exec included; then no process is left.
// Any other thread may go on meanwhile.
[[nodiscard]] platform::Outcome<LoginShell> start_login_shell(
    const std::string& program, const std::vector<std::string>& arguments,
    const std::vector<std::string>& environment, const std::string& directory);

}  // namespace bgshell::jobs
