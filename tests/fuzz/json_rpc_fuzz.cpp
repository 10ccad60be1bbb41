// Any bytes as one JSON-RPC message. Whatever comes, it is told apart, an id comes back as it was,
// and what is written can be read again.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mcp/json_rpc.hpp"
#include "mcp/json_text.hpp"
#include "mcp/lone_surrogates.hpp"

namespace json = boost::json;
using namespace bgshell::mcp;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

json::value parse(std::string_view text) {
    json::error_code error;
    json::parse_options options;
    options.max_depth = 70;
    json::value value = json::parse(text, error, {}, options);
    require(!error);
    return value;
}

bool is_one_line(std::string_view text) {
    return text.find('\n') == std::string_view::npos &&
           text.find("\xE2\x80\xA8") == std::string_view::npos &&
           text.find("\xE2\x80\xA9") == std::string_view::npos;
}

// Boost 1.81 reads fractions with a small error, so they do not come back exactly.
bool has_fraction(const json::value& value) {
    if (const auto* const object = value.if_object()) {
        return std::any_of(object->begin(), object->end(),
                           [](const auto& entry) { return has_fraction(entry.value()); });
    }
    if (const auto* const array = value.if_array()) {
        return std::any_of(array->begin(), array->end(), has_fraction);
    }
    return value.is_double();
}

void check_object(const json::object& object) {
    std::string written;
    append_json(written, object);
    require(is_one_line(written));
    if (!has_fraction(object)) require(parse(written) == object);
}

void check(const SingleMessage& message) {
    if (const auto* const request = std::get_if<Request>(&message)) {
        check_object(request->params);
        const std::string answer = write_result(request->id, {});
        require(is_one_line(answer));
        const auto id = RequestId::from(parse(answer).at("id"));
        require(id && *id == request->id);
    } else if (const auto* const notification = std::get_if<Notification>(&message)) {
        require(parse(write_notification(notification->method, {})).is_object());
    } else if (const auto* const bad = std::get_if<BadMessage>(&message)) {
        const std::string answer = write_error(bad->id, bad->error);
        require(is_one_line(answer));
        require(parse(answer).as_object().contains("id") == bad->id.has_value());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes{data, data + size};
    require(replace_lone_surrogates(bytes).size() == bytes.size());
    const Message message = read_message(bytes);
    if (const auto* const batch = std::get_if<Batch>(&message)) {
        for (const auto& each : batch->messages) check(each);
        return 0;
    }
    std::visit(
        [](const auto& single) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(single)>, Batch>) check(single);
        },
        message);
    return 0;
}
