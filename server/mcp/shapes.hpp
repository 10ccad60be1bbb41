// Shapes: results as each revision defines them, without what it does not know. The one file where
// a field of a result depends on the revision.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "mcp/revision.hpp"
#include "mcp/server.hpp"
#include "tools/tool_set.hpp"

namespace bgshell::mcp {

// Of a legacy revision.
[[nodiscard]] boost::json::object initialize_result(const Server& server, Revision revision);
// Of a modern revision, as are its capabilities.
[[nodiscard]] boost::json::object discover_result(const Server& server, Revision revision);
[[nodiscard]] boost::json::object tools_list_result(const Server& server, Revision revision);
[[nodiscard]] boost::json::object tool_result(tools::CallResult result, const Server& server,
                                              Revision revision);

}  // namespace bgshell::mcp
