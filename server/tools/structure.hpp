// The objects of structuredContent, the same in every tool. What is null, false or empty is left
// out, numbers never; times are RFC 3339 in UTC.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "jobs/outcomes.hpp"

namespace bgshell::tools {

enum class CommandText : bool {
    cut,    // at 200 characters
    whole,  // as far as the registry has it
};

[[nodiscard]] boost::json::object job_object(const jobs::JobSnapshot& job,
                                             CommandText command = CommandText::cut);
// An answer names so many processes or ports of a job, and counts the others.
inline constexpr std::size_t kNamedOfJob = 16;

// The first kNamedOfJob, with up to 400 bytes of each command as written.
[[nodiscard]] boost::json::array process_array(const std::vector<jobs::ProcessName>& processes);
// "2026-11-30T12:04:11.250Z"
[[nodiscard]] std::string rfc3339(platform::WallTime time);
// Seconds as a JSON number, a whole one where it is whole.
[[nodiscard]] boost::json::value seconds(jobs::Milliseconds duration);

}  // namespace bgshell::tools
