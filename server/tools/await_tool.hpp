// The tool `await`: waits for ends, readiness, a line or silence of jobs.
#pragma once

#include "jobs/error.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

// `facts` takes what was changed in the arguments.
[[nodiscard]] jobs::Result<jobs::AwaitRequest> read_await(const Arguments& arguments,
                                                          const Manner& manner,
                                                          std::vector<std::string>& facts);
[[nodiscard]] Answer render_await(const jobs::AwaitOutcome& outcome, const Manner& manner);

}  // namespace bgshell::tools
