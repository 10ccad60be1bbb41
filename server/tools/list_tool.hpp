// The tool `list`: shows jobs.
#pragma once

#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

[[nodiscard]] jobs::ListRequest read_list(const Arguments& arguments);
[[nodiscard]] Answer render_list(const jobs::ListOutcome& outcome, const Manner& manner);

}  // namespace bgshell::tools
