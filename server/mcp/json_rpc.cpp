#include "mcp/json_rpc.hpp"

#include <utility>

#include "mcp/json_text.hpp"
#include "mcp/lone_surrogates.hpp"

namespace bgshell::mcp {

namespace json = boost::json;

namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::string_view kBegin = R"({"jsonrpc":"2.0")";

json::value parse(std::string_view text, json::error_code& error) {
    json::parse_options options;
    options.max_depth = kMaxDepth;
    json::value value = json::parse(text, error, {}, options);
    if (!error) return value;
    const std::string repaired = replace_lone_surrogates(text);
    if (repaired == text) return value;
    return json::parse(repaired, error, {}, options);
}

RpcError parse_error(std::string_view text, const json::error_code& error) {
    // Some clients try the framing of the Language Server Protocol when they get no answer at once.
    if (text.starts_with("Content-Length:")) {
        return {ErrorCode::parse_error,
                "Messages are framed by newlines, one JSON object per line, without headers."};
    }
    return {ErrorCode::parse_error, "The message is not JSON in UTF-8: " + error.message() + "."};
}

BadMessage bad(std::string text, std::optional<RequestId> id) {
    return {{ErrorCode::invalid_request, std::move(text)}, std::move(id)};
}

SingleMessage classify(json::value value) {
    auto* const object = value.if_object();
    if (object == nullptr) return bad("A message is a JSON object.", {});
    const auto* const raw_id = object->if_contains("id");
    auto id = raw_id != nullptr ? RequestId::from(*raw_id) : std::nullopt;
    auto* const method = object->if_contains("method");
    if (method == nullptr && (object->contains("result") || object->contains("error"))) {
        return Response{std::move(id), std::move(*object)};
    }
    const auto* const version = object->if_contains("jsonrpc");
    if (version == nullptr || *version != "2.0") {
        return bad("jsonrpc must be \"2.0\".", std::move(id));
    }
    if (method == nullptr || !method->is_string()) {
        return bad("method must be a string.", std::move(id));
    }
    if (raw_id != nullptr && !id) {
        return bad("id must be a string of at most " + std::to_string(kLongestId) +
                       " bytes as written, or an integer of at most 64 bits.",
                   {});
    }
    json::object params;
    if (auto* const given = object->if_contains("params"); given != nullptr && !given->is_null()) {
        if (!given->is_object()) return bad("params must be an object.", std::move(id));
        params = std::move(given->get_object());
    }
    std::string name{std::string_view{method->get_string()}};
    if (!id) return Notification{std::move(name), std::move(params)};
    return Request{std::move(*id), std::move(name), std::move(params)};
}

void append_id(std::string& out, const RequestId& id) {
    out += ",\"id\":";
    out += id.json();
}

}  // namespace

Message read_message(std::string_view text) {
    json::error_code error;
    json::value value = parse(text, error);
    if (error) return BadMessage{parse_error(text, error), {}};
    if (auto* const array = value.if_array()) {
        Batch batch;
        batch.messages.reserve(array->size());
        for (auto& entry : *array) batch.messages.push_back(classify(std::move(entry)));
        return batch;
    }
    return std::visit([](auto single) { return Message{std::move(single)}; },
                      classify(std::move(value)));
}

std::string write_result(const RequestId& id, const json::object& result) {
    std::string out;
    out.reserve(kBegin.size() + id.json().size() + 32 + json_length_hint(result));
    out += kBegin;
    append_id(out, id);
    out += ",\"result\":";
    append_json(out, result);
    out += '}';
    return out;
}

std::string write_error(const std::optional<RequestId>& id, const RpcError& error) {
    std::string out{kBegin};
    if (id) append_id(out, *id);
    out +=
        ",\"error\":{\"code\":" + std::to_string(static_cast<int>(error.code())) + ",\"message\":";
    append_json(out, std::string_view{error.message()});
    if (error.data()) {
        out += ",\"data\":";
        append_json(out, *error.data());
    }
    out += "}}";
    return out;
}

std::string write_notification(std::string_view method, const json::object& params) {
    std::string out{kBegin};
    out += ",\"method\":";
    append_json(out, method);
    out += ",\"params\":";
    append_json(out, params);
    out += '}';
    return out;
}

}  // namespace bgshell::mcp
