// JobProcess: the job's shell and the keeper's ends of its pipes.
#pragma once

#include <sys/types.h>

#include <variant>

#include "keeper/capture.hpp"
#include "keeper/messages.hpp"
#include "keeper/start_order.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

struct JobProcess {
    pid_t pid = 0;
    platform::UniqueFd pidfd;
    platform::UniqueFd input;  // non-blocking; none: the job's stdin is /dev/null
    OutputPipes output;
};

// Runs the shell in `working_directory`, with the limits of the order, which become the keeper's
// own. StartFailed: nothing runs.
[[nodiscard]] std::variant<JobProcess, StartFailed> start_job(const StartOrder& order,
                                                              int working_directory);

}  // namespace bgshell::keeper
