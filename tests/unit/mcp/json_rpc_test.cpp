#include "mcp/json_rpc.hpp"

#include <doctest/doctest.h>

#include <string>

namespace json = boost::json;
using namespace bgshell::mcp;

namespace {

template <class Kind>
Kind read(std::string_view text) {
    auto message = read_message(text);
    auto* const kind = std::get_if<Kind>(&message);
    REQUIRE(kind != nullptr);
    return std::move(*kind);
}

void check_bad(std::string_view text, ErrorCode code, std::optional<std::string> id = {}) {
    CAPTURE(text);
    const auto bad = read<BadMessage>(text);
    CHECK(bad.error.code() == code);
    CHECK(!bad.error.message().empty());
    REQUIRE(bad.id.has_value() == id.has_value());
    if (id) CHECK(bad.id->json() == *id);
}

}  // namespace

TEST_CASE("requests, notifications and responses are told apart") {
    const auto request = read<Request>(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
    CHECK(request.id.json() == "7");
    CHECK(request.method == "m");
    CHECK(request.params == json::object{{"a", 1}});
    CHECK(read<Request>(R"({"jsonrpc":"2.0","id":7,"method":"m"})").params.empty());
    CHECK(read<Request>(R"({"jsonrpc":"2.0","id":7,"method":"m","params":null})").params.empty());
    CHECK(read<Notification>(R"({"jsonrpc":"2.0","method":"n"})").method == "n");
    CHECK(read<Response>(R"({"jsonrpc":"2.0","id":"x","result":{}})").id->json() == R"("x")");
    CHECK(read<Response>(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})").id);
}

TEST_CASE("an error without a usable id is a response too, so that errors are never answered") {
    CHECK(!read<Response>(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}})").id);
    CHECK(!read<Response>(R"({"error":{}})").id);
}

TEST_CASE("ids come back with their type and digits") {
    for (const char* const id :
         {"0", "1", "-1", R"("1")", R"("")", "9007199254740993", "9223372036854775807",
          "-9223372036854775808", "18446744073709551615", R"("\"\\\n")", R"("äöü")"}) {
        CAPTURE(id);
        const auto request =
            read<Request>(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string{id} + "}");
        CHECK(request.id.json() == id);
        CHECK(write_result(request.id, {}) ==
              R"({"jsonrpc":"2.0","id":)" + std::string{id} + R"(,"result":{}})");
    }
    CHECK(*RequestId::from(1) != *RequestId::from("1"));
}

TEST_CASE("other ids are refused without one") {
    for (const char* const id :
         {"null", "1.5", "1.0", "1e3", "true", "[]", "{}", "18446744073709551616"}) {
        check_bad(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string{id} + "}",
                  ErrorCode::invalid_request);
    }
}

TEST_CASE("what is no JSON is a parse error") {
    check_bad("", ErrorCode::parse_error);
    check_bad("{", ErrorCode::parse_error);
    check_bad("hello", ErrorCode::parse_error);
    check_bad("{} {}", ErrorCode::parse_error);
    check_bad("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}", ErrorCode::parse_error);
    check_bad(std::string(100'000, '['), ErrorCode::parse_error);
    check_bad("Content-Length: 52", ErrorCode::parse_error);
}

TEST_CASE("JSON that is no message is refused, with its id where it has one") {
    check_bad("1", ErrorCode::invalid_request);
    check_bad("null", ErrorCode::invalid_request);
    check_bad(R"("x")", ErrorCode::invalid_request);
    check_bad("{}", ErrorCode::invalid_request);
    check_bad(R"({"id":1,"method":"m"})", ErrorCode::invalid_request, "1");
    check_bad(R"({"jsonrpc":"1.0","id":1,"method":"m"})", ErrorCode::invalid_request, "1");
    check_bad(R"({"jsonrpc":2,"id":1,"method":"m"})", ErrorCode::invalid_request, "1");
    check_bad(R"({"jsonrpc":"2.0","id":1})", ErrorCode::invalid_request, "1");
    check_bad(R"({"jsonrpc":"2.0","id":1,"method":5})", ErrorCode::invalid_request, "1");
    check_bad(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})", ErrorCode::invalid_request,
              "1");
    check_bad(R"({"jsonrpc":"2.0","id":"a","method":"m","params":"p"})", ErrorCode::invalid_request,
              R"("a")");
    check_bad(R"({"jsonrpc":"2.0","method":"m","params":3})", ErrorCode::invalid_request);
}

TEST_CASE("half a surrogate pair does not lose the message") {
    const auto request =
        read<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"x\ud83dy"}})");
    CHECK(request.params.at("a").as_string() == "x\xEF\xBF\xBDy");
}

TEST_CASE("a batch keeps its order, and what is wrong inside stays inside") {
    const auto batch = read<Batch>(
        R"([{"jsonrpc":"2.0","id":1,"method":"a"},5,[],{"jsonrpc":"2.0","method":"b"}])");
    REQUIRE(batch.messages.size() == 4);
    CHECK(std::holds_alternative<Request>(batch.messages[0]));
    CHECK(std::holds_alternative<BadMessage>(batch.messages[1]));
    CHECK(std::holds_alternative<BadMessage>(batch.messages[2]));
    CHECK(std::holds_alternative<Notification>(batch.messages[3]));
    CHECK(read<Batch>("[]").messages.empty());
}

TEST_CASE("errors carry an id only where there is one, and data only where it is given") {
    CHECK(write_error({}, {ErrorCode::parse_error, "no \"JSON\""}) ==
          R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no \"JSON\""}})");
    CHECK(write_error(RequestId::from("a"), {ErrorCode::unsupported_version, "x", {{"b", 1}}}) ==
          R"({"jsonrpc":"2.0","id":"a","error":{"code":-32022,"message":"x","data":{"b":1}}})");
    CHECK(write_notification("n", {{"a", 1}}) ==
          R"({"jsonrpc":"2.0","method":"n","params":{"a":1}})");
}
