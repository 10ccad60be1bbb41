// Where a job runs, and the project that its front end works on.
//
// The working directory of a front end cannot be trusted: desktops start servers in `/` or in the
// home directory. So the project is taken from what a client says, else from a directory that looks
// like one, and where there is none a call must name its cwd.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jobs/error.hpp"
#include "jobs/settings.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::jobs {

// A directory held open, so that it cannot be swapped between the check and the start.
struct WorkingDirectory {
    std::string path;       // canonical
    platform::UniqueFd fd;  // O_PATH
};

// The canonical project directory, or "client:NAME" where none is known: CLAUDE_PROJECT_DIR, else
// GOOSE_WORKING_DIR, else the process's own. Never `/`, and the home directory only with a project
// marker (.git, package.json, ...) in it; what does not exist is passed over.
[[nodiscard]] std::string determine_scope(const Surroundings& surroundings,
                                          std::string_view client);

// The directory that a call asks for, relative to `scope` unless absolute, `~` being home; `scope`
// itself if it asks for none (or ""). The error names the directory and what is wrong with it, or
// asks for cwd where the scope is no directory.
[[nodiscard]] Result<WorkingDirectory> open_working_directory(
    const std::optional<std::string>& asked, const std::string& scope,
    const Surroundings& surroundings);

}  // namespace bgshell::jobs
