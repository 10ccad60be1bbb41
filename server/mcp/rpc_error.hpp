// RpcError: a fault of the protocol, as JSON-RPC tells it. What a tool could not do is no such
// fault: that is a result with isError.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace bgshell::mcp {

// Every code that is ever sent.
enum class ErrorCode : int {
    parse_error = -32700,       // not JSON
    invalid_request = -32600,   // no JSON-RPC message, or one that is not allowed now
    method_not_found = -32601,  // unknown, or of a capability that is not advertised
    invalid_params = -32602,    // also: unknown tool, bad cursor, bad level, incomplete envelope
    internal_error = -32603,
    unsupported_version = -32022,  // 2026-07-28 only; data {supported, requested}
};

class RpcError {
  public:
    RpcError(ErrorCode code, std::string message) : code_{code}, message_{std::move(message)} {}
    RpcError(ErrorCode code, std::string message, boost::json::object data)
        : code_{code}, message_{std::move(message)}, data_{std::move(data)} {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }
    // One sentence for the client's log: what was wrong and, where it is not obvious, what is
    // right.
    [[nodiscard]] const std::string& message() const noexcept { return message_; }
    [[nodiscard]] const std::optional<boost::json::object>& data() const noexcept { return data_; }

  private:
    ErrorCode code_;
    std::string message_;
    std::optional<boost::json::object> data_;
};

}  // namespace bgshell::mcp
