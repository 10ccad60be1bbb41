// ArgumentDigest: whether a start with a known key asks for the same thing again.
#pragma once

#include <string>

#include "jobs/requests.hpp"

namespace bgshell::jobs {

// 36 characters over everything that a key guards: command, cwd (resolved), env (any order),
// open_stdin, split_stderr, runtime limit, service, and the key itself. One-way: values of env
// cannot be read back from it.
[[nodiscard]] std::string argument_digest(const StartRequest& request, const std::string& cwd,
                                          Milliseconds runtime_limit);

}  // namespace bgshell::jobs
