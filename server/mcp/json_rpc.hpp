// JSON-RPC 2.0 messages: reading one, and writing answers. Knows nothing of MCP's methods.
//
//   message      = request | notification | response | batch
//   request      = {"jsonrpc": "2.0", "id": id, "method": string, "params"?: object}
//   notification = the same without "id"
//   response     = {"jsonrpc": "2.0", "id": id, "result": object | "error": object}
//   batch        = [message, ...]             (not nested)
//   id           = string | integer of 64 bits
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mcp/request_id.hpp"
#include "mcp/rpc_error.hpp"

namespace bgshell::mcp {

struct Request {
    RequestId id;
    std::string method;
    boost::json::object params;  // empty where absent or null
};
struct Notification {
    std::string method;
    boost::json::object params;
};
// The other side's answer to a request of ours. Never answered, however odd it is: two sides that
// answer each other's errors never stop.
struct Response {
    std::optional<RequestId> id;
    boost::json::object body;
};
struct BadMessage {
    RpcError error;
    std::optional<RequestId> id;  // where it could be read
};
using SingleMessage = std::variant<Request, Notification, Response, BadMessage>;
struct Batch {
    std::vector<SingleMessage> messages;
};
using Message = std::variant<Request, Notification, Response, BadMessage, Batch>;

// Reads one message, whatever the bytes are. Nesting is limited to 64 levels. An escape of half a
// surrogate pair, which JavaScript writes for a broken string, is read as U+FFFD.
[[nodiscard]] Message read_message(std::string_view text);

[[nodiscard]] std::string write_result(const RequestId& id, const boost::json::object& result);
// Without `id` where the request's could not be read: no revision allows null.
[[nodiscard]] std::string write_error(const std::optional<RequestId>& id, const RpcError& error);
[[nodiscard]] std::string write_notification(std::string_view method,
                                             const boost::json::object& params);

}  // namespace bgshell::mcp
