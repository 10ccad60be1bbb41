// The tool `cancel`: stops jobs with every process they started.
#pragma once

#include "jobs/error.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

[[nodiscard]] jobs::Result<jobs::CancelRequest> read_cancel(const Arguments& arguments,
                                                            const Manner& manner);
[[nodiscard]] Answer render_cancel(const jobs::CancelOutcome& outcome,
                                   const jobs::CancelRequest& request, const Manner& manner);

}  // namespace bgshell::tools
