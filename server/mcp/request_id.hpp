// RequestId: the name that the other side gave a request, a string or a 64-bit integer, and gets
// back exactly as it came: `1` and `"1"` are two names. Kept as its JSON text.
#pragma once

#include <boost/json.hpp>
#include <compare>
#include <optional>
#include <string>

#include "mcp/json_text.hpp"

namespace bgshell::mcp {

// What MCP takes for an id of a request or a token of progress: no null, no fraction.
[[nodiscard]] inline bool is_wire_id(const boost::json::value& value) noexcept {
    return value.is_string() || value.is_int64() || value.is_uint64();
}

class RequestId {
  public:
    [[nodiscard]] static std::optional<RequestId> from(const boost::json::value& value) {
        if (!is_wire_id(value)) return std::nullopt;
        RequestId id;
        append_json(id.json_, value);
        return id;
    }
    [[nodiscard]] const std::string& json() const noexcept { return json_; }
    friend auto operator<=>(const RequestId&, const RequestId&) = default;

  private:
    RequestId() = default;
    std::string json_;
};

}  // namespace bgshell::mcp
