// ToolSet: what the MCP layer knows of tools: their published definitions and how to call one. The
// product's six are one set; a test server may have others.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/json.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/outcomes.hpp"

namespace bgshell::tools {

// What a client is known to need (clients differ; by clientInfo.name).
struct ClientProfile {
    std::string name;                             // clientInfo.name, empty if unknown
    platform::Milliseconds wait_ceiling{50'000};  // of one call
    bool show_structure = true;  // structuredContent reaches it without replacing text
    bool moves_long_calls_to_background = false;  // a long await wakes the model
};

struct CallContext {
    jobs::Caller caller;
    ClientProfile profile;
    // Set by the tool while it waits: one line for a progress notification. May stay empty.
    std::function<std::string()> progress;
    std::size_t shared_by = 1;  // how many answers the line of this one holds
};

struct CallResult {
    boost::json::array content;
    std::optional<boost::json::object> structured;
    bool is_error = false;
    jobs::OfferId offer = 0;  // give back by written() or lost()
};

// One entry of tools/list, complete. The MCP layer removes what a revision does not know.
struct ToolDefinition {
    std::string name;
    std::string title;
    std::string description;
    boost::json::object input_schema;
    std::optional<boost::json::object> output_schema;
    boost::json::object meta;  // `_meta`: what single clients want to know
    struct {
        bool read_only = false;
        bool destructive = true;
        bool idempotent = false;
        bool open_world = true;
    } hints;
};

class ToolSet {
  public:
    virtual ~ToolSet() = default;
    // Stable order, never changes.
    [[nodiscard]] virtual const std::vector<ToolDefinition>& definitions() const = 0;
    [[nodiscard]] virtual std::string instructions() const = 0;
    // A tools/call has arrived (its params have the right shape); before `call`.
    virtual void call_arrived(const jobs::Caller& caller) = 0;
    // `name` is one of definitions(). `context` outlives the call. Cancelling the awaitable ends
    // the waiting only. Every fault of an argument is a result with is_error.
    virtual boost::asio::awaitable<CallResult> call(std::string name, boost::json::object arguments,
                                                    CallContext& context) = 0;
    virtual void written(jobs::OfferId offer) = 0;
    virtual void lost(jobs::OfferId offer) = 0;
};

}  // namespace bgshell::tools
