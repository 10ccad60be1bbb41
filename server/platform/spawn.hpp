// spawn: the one way in which this program starts keepers and jobs. posix_spawn, so no code of ours
// ever runs in the child and a failed exec is a value in the parent.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {

// The child gets a new session, default dispositions, an empty signal mask and exactly the
// descriptors named here; everything else (limits, umask, oom score) it inherits. Descriptors are
// borrowed, and may have any number.
struct SpawnOrder {
    std::string program;                   // absolute path
    std::vector<std::string> arguments;    // argv[0] included
    std::vector<std::string> environment;  // NAME=value; nothing is inherited
    int standard_input = -1;
    int standard_output = -1;
    int standard_error = -1;
    std::optional<int> descriptor_3;       // arrives as descriptor 3
    std::optional<int> working_directory;  // a directory, O_PATH is enough; none: inherited
};

struct SpawnedProcess {
    pid_t pid = 0;
    UniqueFd pidfd;
};

// The error is the errno of the step that failed, that of the child's exec included; then no
// process is left. The caller reaps the process (pidfd.hpp).
[[nodiscard]] Outcome<SpawnedProcess> spawn(SpawnOrder order);

}  // namespace bgshell::platform
