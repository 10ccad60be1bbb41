// Which shell runs a job's script. Models write bash: fish and the like are never taken unasked.
#pragma once

#include <string>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/settings.hpp"

namespace bgshell::jobs {

// Where the shells of a system are; tests have others.
struct ShellPlaces {
    std::vector<std::string> bash{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash",
                                  "/run/current-system/sw/bin/bash"};
    std::string sh = "/bin/sh";
};

// The absolute path of an executable file: the configured one; else bash; else $SHELL if that is
// zsh; else /bin/sh. The error names the shell that cannot be used.
[[nodiscard]] Result<std::string> choose_shell(const Settings& settings,
                                               const Surroundings& surroundings,
                                               const ShellPlaces& places = {});

}  // namespace bgshell::jobs
