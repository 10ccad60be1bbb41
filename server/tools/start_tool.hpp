// The tool `start`: runs a command as a job.
#pragma once

#include "jobs/error.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

// `facts` takes what was changed in the arguments.
[[nodiscard]] jobs::Result<jobs::StartRequest> read_start(const Arguments& arguments,
                                                          const Manner& manner,
                                                          std::vector<std::string>& facts);
[[nodiscard]] Answer render_start(const jobs::StartOutcome& outcome, const Manner& manner);

}  // namespace bgshell::tools
