// The environment of a job: what the front end inherited, made fit for a shell without a terminal,
// then what the configuration and the call say. Values never leave the start order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/settings.hpp"
#include "keeper/job_state.hpp"

namespace bgshell::jobs {

// The value of `name` in NAME=value entries; the first one counts, as for getenv.
[[nodiscard]] std::optional<std::string> find_variable(const std::vector<std::string>& environment,
                                                       std::string_view name);

// Whether every entry of a call's `env` is NAME=value, without NUL. The error names the entry,
// never its value.
[[nodiscard]] Result<void> check_env(const std::vector<std::string>& entries);

// The PATH of a job. `inherited` of nothing but system directories is a stub that a desktop gave:
// the login PATH takes its place. Any other keeps its order, and the absolute directories of
// `login` that it lacks come after it.
[[nodiscard]] std::string merge_path(std::string_view inherited, std::string_view login);

// The whole environment of a job, in this order:
//   1. inherited, without BGSHELL_* whose name contains TOKEN or SECRET, without GIT_ASKPASS,
//      FORCE_COLOR and CLICOLOR_FORCE; PATH merged with `login_path` if there is one
//   2. variables for a job without a terminal: no colour, no pager, no prompt, an editor that says
//   why
//      it cannot open, unbuffered Python, a UTF-8 LANG where none is set; BGSHELL_JOB_ID
//   3. env_set and env_unset of the configuration
//   4. `call`, checked before by check_env
// Each name occurs once.
[[nodiscard]] std::vector<std::string> job_environment(const Surroundings& surroundings,
                                                       const Settings& settings,
                                                       const std::optional<std::string>& login_path,
                                                       const std::vector<std::string>& call,
                                                       const keeper::JobId& id);

}  // namespace bgshell::jobs
