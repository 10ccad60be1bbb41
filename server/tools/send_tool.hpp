// The tool `send`: types into a job, or gives it a new runtime limit.
#pragma once

#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "tools/answer.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

[[nodiscard]] jobs::SendRequest read_send(const Arguments& arguments, const Manner& manner);
[[nodiscard]] Answer render_send(const jobs::SendOutcome& outcome, const jobs::SendRequest& request,
                                 const Manner& manner);

}  // namespace bgshell::tools
