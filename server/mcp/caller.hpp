// Who is asking: the conversation where the client names one in params._meta, so that looks and
// notices of two conversations that share one server stay apart.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "jobs/caller.hpp"

namespace bgshell::mcp {

[[nodiscard]] jobs::Caller caller_of(const std::string& owner, const boost::json::object& params);

}  // namespace bgshell::mcp
