// The tool `await`: waits for ends, readiness, a line or silence of jobs.
#pragma once

#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

[[nodiscard]] jobs::AwaitRequest read_await(const Arguments& arguments, const Manner& manner);
[[nodiscard]] Answer render_await(const jobs::AwaitOutcome& outcome, const Manner& manner);

}  // namespace bgshell::tools
