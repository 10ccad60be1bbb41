#include "mcp/era.hpp"

#include <string_view>
#include <utility>

#include "text/quote.hpp"
#include "text/utf8.hpp"

namespace bgshell::mcp {

namespace json = boost::json;

namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kClientKey = "io.modelcontextprotocol/clientInfo";
constexpr std::size_t kVersionCharacters = 100;  // of one that is not known, told back
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

const json::object* meta_of(const json::object& params) {
    const auto* const meta = params.if_contains("_meta");
    return meta == nullptr ? nullptr : meta->if_object();
}

std::string text_of(const json::object& object, std::string_view key) {
    const auto* const value = object.if_contains(key);
    const auto* const text = value == nullptr ? nullptr : value->if_string();
    return text == nullptr ? std::string{} : std::string{std::string_view{*text}};
}

ClientInfo client_of(const json::value* value) {
    const auto* const info = value == nullptr ? nullptr : value->if_object();
    if (info == nullptr) return {};
    return {text_of(*info, "name"), text_of(*info, "version")};
}

RpcError incomplete(std::string_view key, std::string_view rule) {
    return {ErrorCode::invalid_params,
            "params._meta[\"" + std::string{key} + "\"] must be " + std::string{rule} + "."};
}

RpcError unsupported(const std::string& requested) {
    const std::string_view served = facts(kModern).name;
    json::object data;
    data["supported"].emplace_array().emplace_back(served);
    data["requested"] = text::first_characters(requested, kVersionCharacters);
    return {ErrorCode::unsupported_version,
            "Revision " + text::quote(requested, kVersionCharacters) +
                " is not served by requests that carry it; " + std::string{served} +
                " is, and earlier ones by initialize.",
            std::move(data)};
}

Treatment read_envelope(const json::object& meta) {
    if (!meta.at(kVersionKey).is_string()) return incomplete(kVersionKey, "a string");
    const auto* const capabilities = meta.if_contains(kCapabilitiesKey);
    if (capabilities == nullptr || !capabilities->is_object()) {
        return incomplete(kCapabilitiesKey, "an object");
    }
    const std::string version = text_of(meta, kVersionKey);
    const auto revision = find_revision(version);
    if (!revision || !facts(*revision).modern) return unsupported(version);
    ModernRequest request;
    request.terms = {*revision, client_of(meta.if_contains(kClientKey))};
    if (meta.contains(kLogLevelKey)) {
        request.log_level = find_log_level(text_of(meta, kLogLevelKey));
        if (!request.log_level) return incomplete(kLogLevelKey, "a log level such as \"info\"");
    }
    return request;
}

}  // namespace

bool has_envelope(const json::object& params) {
    const auto* const meta = meta_of(params);
    return meta != nullptr && meta->contains(kVersionKey);
}

Treatment treat(std::optional<Method> method, const json::object& params, bool in_session) {
    if (has_envelope(params)) return read_envelope(*meta_of(params));
    if (method == Method::discover) return incomplete(kVersionKey, "the revision");
    if (method == Method::initialize) {
        if (!in_session) return HandshakeRequest{};
        return RpcError{ErrorCode::invalid_request, "The session is initialized already."};
    }
    if (in_session) return SessionRequest{};
    if (method == Method::ping) return EarlyPing{};
    return RpcError{ErrorCode::invalid_request,
                    "Not initialized: send initialize first, or a revision with the request."};
}

std::variant<Terms, RpcError> read_handshake(const json::object& params) {
    const auto* const version = params.if_contains("protocolVersion");
    if (version == nullptr || !version->is_string()) {
        return RpcError{ErrorCode::invalid_params, "params.protocolVersion must be a string."};
    }
    for (const std::string_view key : {"capabilities", "clientInfo"}) {
        const auto* const value = params.if_contains(key);
        if (value == nullptr || !value->is_object()) {
            return RpcError{ErrorCode::invalid_params,
                            "params." + std::string{key} + " must be an object."};
        }
    }
    const auto revision = find_revision(std::string_view{version->get_string()});
    const bool served = revision && !facts(*revision).modern;
    return Terms{served ? *revision : kLatestLegacy, client_of(params.if_contains("clientInfo"))};
}

}  // namespace bgshell::mcp
