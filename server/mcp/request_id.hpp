// RequestId: the name that the other side gave a request, a string or a 64-bit integer, and gets
// back exactly as it came: `1` and `"1"` are two names. Kept as its JSON text. What is given back
// in every answer must leave room for the answer, so that a longer one is none.
#pragma once

#include <boost/json.hpp>
#include <compare>
#include <optional>
#include <string>

#include "mcp/json_text.hpp"
#include "text/json_size.hpp"

namespace bgshell::mcp {

inline constexpr std::size_t kLongestId = 256;  // bytes as written, with the quotation marks

// What is taken for an id of a request or a token of progress: no null, no fraction.
[[nodiscard]] inline bool is_wire_id(const boost::json::value& value) noexcept {
    if (const auto* const text = value.if_string()) {
        return text::json_size({text->data(), text->size()}) + 2 <= kLongestId;
    }
    return value.is_int64() || value.is_uint64();
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
