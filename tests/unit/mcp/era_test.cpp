#include "mcp/era.hpp"

#include <doctest/doctest.h>

#include "mcp/caller.hpp"

namespace json = boost::json;
using namespace bgshell::mcp;

namespace {

constexpr const char* kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilities = "io.modelcontextprotocol/clientCapabilities";

json::object envelope(json::value version, json::value capabilities = json::object{}) {
    json::object meta;
    meta[kVersion] = std::move(version);
    if (!capabilities.is_null()) meta[kCapabilities] = std::move(capabilities);
    json::object params;
    params["_meta"] = std::move(meta);
    return params;
}

json::object with_meta(json::object params, std::string_view key, json::value value) {
    params["_meta"].as_object()[key] = std::move(value);
    return params;
}

ErrorCode code_of(const Treatment& treatment) {
    REQUIRE(std::holds_alternative<RpcError>(treatment));
    return std::get<RpcError>(treatment).code();
}

template <class Kind>
bool is(const Treatment& treatment) {
    return std::holds_alternative<Kind>(treatment);
}

}  // namespace

TEST_CASE("a request with an envelope is modern, whatever its method and whatever came before") {
    for (const bool in_session : {false, true}) {
        for (const auto method :
             {std::optional{Method::tools_list}, std::optional{Method::initialize},
              std::optional{Method::ping}, std::optional<Method>{}}) {
            CHECK(is<ModernRequest>(treat(method, envelope("2026-07-28"), in_session)));
        }
    }
}

TEST_CASE("an incomplete envelope is bad params, before its version is looked at") {
    const auto method = Method::tools_list;
    CHECK(code_of(treat(method, envelope(5), false)) == ErrorCode::invalid_params);
    CHECK(code_of(treat(method, envelope("2026-07-28", nullptr), false)) ==
          ErrorCode::invalid_params);
    CHECK(code_of(treat(method, envelope("2099-01-01", nullptr), false)) ==
          ErrorCode::invalid_params);
    CHECK(code_of(treat(method, envelope("2026-07-28", json::array{}), true)) ==
          ErrorCode::invalid_params);
    const auto loud = with_meta(envelope("2026-07-28"), "io.modelcontextprotocol/logLevel", "LOUD");
    CHECK(code_of(treat(method, loud, false)) == ErrorCode::invalid_params);
}

TEST_CASE(
    "an envelope of a revision that is not modern or not known is named with what is served") {
    for (const char* const version : {"2025-11-25", "2024-11-05", "2099-01-01", ""}) {
        CAPTURE(version);
        const auto treatment = treat(Method::tools_list, envelope(version), true);
        REQUIRE(code_of(treatment) == ErrorCode::unsupported_version);
        const auto& data = std::get<RpcError>(treatment).data();
        REQUIRE(data);
        CHECK(*data == json::object{{"supported", json::parse(R"(["2026-07-28"])")},
                                    {"requested", version}});
    }
}

TEST_CASE("client and log level come from this request's envelope") {
    auto params = with_meta(envelope("2026-07-28"), "io.modelcontextprotocol/clientInfo",
                            json::object{{"name", "c"}, {"version", "2"}});
    params = with_meta(std::move(params), "io.modelcontextprotocol/logLevel", "warning");
    const auto treatment = treat(Method::tools_call, params, false);
    const auto& request = std::get<ModernRequest>(treatment);
    CHECK(request.terms.revision == Revision::r2026_07_28);
    CHECK(request.terms.client.name == "c");
    CHECK(request.terms.client.version == "2");
    CHECK(request.log_level == LogLevel::warning);
    const auto bare = treat(Method::tools_call, envelope("2026-07-28"), false);
    CHECK(std::get<ModernRequest>(bare).terms.client.name.empty());
    CHECK(!std::get<ModernRequest>(bare).log_level);
}

TEST_CASE("without an envelope the handshake decides") {
    CHECK(is<HandshakeRequest>(treat(Method::initialize, {}, false)));
    CHECK(code_of(treat(Method::initialize, {}, true)) == ErrorCode::invalid_request);
    CHECK(is<EarlyPing>(treat(Method::ping, {}, false)));
    CHECK(is<SessionRequest>(treat(Method::ping, {}, true)));
    CHECK(code_of(treat(Method::tools_list, {}, false)) == ErrorCode::invalid_request);
    CHECK(is<SessionRequest>(treat(Method::tools_list, {}, true)));
    CHECK(code_of(treat({}, {}, false)) == ErrorCode::invalid_request);
    CHECK(is<SessionRequest>(treat({}, {}, true)));
    for (const bool in_session : {false, true}) {
        CHECK(code_of(treat(Method::discover, {}, in_session)) == ErrorCode::invalid_params);
    }
}

TEST_CASE("_meta without the version is no envelope") {
    CHECK(!has_envelope({{"_meta", {{"progressToken", 1}}}}));
    CHECK(!has_envelope({{"_meta", "x"}}));
    CHECK(!has_envelope({}));
    CHECK(has_envelope({{"_meta", {{kVersion, nullptr}}}}));
}

TEST_CASE("the handshake agrees on what was asked, else on the latest legacy revision") {
    const auto ask = [](std::string_view version) {
        return read_handshake({{"protocolVersion", version},
                               {"capabilities", json::object{}},
                               {"clientInfo", {{"name", "c"}, {"version", "1"}}}});
    };
    for (const char* const version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
        CHECK(facts(std::get<Terms>(ask(version)).revision).name == version);
    }
    for (const char* const version : {"2026-07-28", "2099-01-01", "1.0", ""}) {
        CHECK(std::get<Terms>(ask(version)).revision == Revision::r2025_11_25);
    }
    CHECK(std::get<Terms>(ask("2024-11-05")).client.name == "c");
}

TEST_CASE("a handshake that lacks something names it") {
    const json::object whole{{"protocolVersion", "2025-11-25"},
                             {"capabilities", json::object{}},
                             {"clientInfo", {{"name", "c"}, {"version", "1"}}}};
    for (const char* const key : {"protocolVersion", "capabilities", "clientInfo"}) {
        for (const bool absent : {true, false}) {
            auto params = whole;
            if (absent) params.erase(key);
            if (!absent) params[key] = 5;
            const auto read = read_handshake(params);
            REQUIRE(std::holds_alternative<RpcError>(read));
            CHECK(std::get<RpcError>(read).code() == ErrorCode::invalid_params);
            CHECK(std::get<RpcError>(read).message().find(key) != std::string::npos);
        }
    }
}

TEST_CASE("a conversation that the client names is part of the caller") {
    const auto conversation = [](json::object meta) {
        return caller_of("me", {{"_meta", std::move(meta)}}).conversation;
    };
    CHECK(caller_of("me", {}).owner == "me");
    CHECK(caller_of("me", {}).conversation.empty());
    CHECK(conversation({{"vscode.conversationId", "chat 1"}}) == "chat 1");
    CHECK(conversation({{"agent-session-id", "20261130_1"}}) == "20261130_1");
    CHECK(conversation({{"vscode.conversationId", 5}}).empty());
    CHECK(conversation({{"vscode.conversationId", std::string(201, 'x')}}).empty());
}
