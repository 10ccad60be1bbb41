// The tool `list`: shows jobs.
#pragma once

#include "jobs/error.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

// `facts` takes what was changed in the arguments.
[[nodiscard]] jobs::Result<jobs::ListRequest> read_list(const Arguments& arguments,
                                                        const Manner& manner,
                                                        std::vector<std::string>& facts);
[[nodiscard]] Answer render_list(const jobs::ListOutcome& outcome, const Manner& manner);

}  // namespace bgshell::tools
