// The tool `output`: reads or searches what a job printed.
#pragma once

#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

// `facts` takes what was changed in the arguments.
[[nodiscard]] jobs::OutputRequest read_output(const Arguments& arguments, const Manner& manner,
                                              std::vector<std::string>& facts);
// The view starts at the caller's last look and runs to the end of the log: telling it moves the
// look.
[[nodiscard]] bool shows_news(const jobs::OutputRequest& request);
[[nodiscard]] Answer render_output(const jobs::OutputOutcome& outcome,
                                   const jobs::OutputRequest& request, const Manner& manner);

}  // namespace bgshell::tools
