#include "mcp/calls.hpp"

#include <doctest/doctest.h>

#include "unit/mcp/fake_server.hpp"

using namespace bgshell::test;
using namespace std::chrono_literals;
using bgshell::jobs::OfferId;
namespace platform = bgshell::platform;

namespace {

std::string cancelled(std::string_view id) {
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
           std::string{id} + R"(,"reason":"test"}})";
}

// The two eras' way to call `tool`.
std::string call(bool modern, std::string_view id, std::string_view tool,
                 std::string_view more = "", std::string_view meta = "") {
    const std::string params = R"("name":")" + std::string{tool} + "\"," + std::string{more};
    if (modern) return FakeServer::modern(id, "tools/call", params, meta);
    if (!meta.empty()) meta.remove_prefix(1);
    return FakeServer::request(id, "tools/call",
                               "{" + params + R"("_meta":{)" + std::string{meta} + "}}");
}

}  // namespace

TEST_CASE_FIXTURE(FakeServer,
                  "a call is announced to the tools, answered, and its offer given back") {
    handshake("2025-11-25");
    receive(call(false, "1", "echo", R"("arguments":{"a":1},)"));
    const auto messages = sink->take();
    REQUIRE(messages.size() == 1);
    CHECK(at(messages[0], "/result/content/0/text") == R"({"a":1})");
    CHECK(at(messages[0], "/result/structuredContent") == json::object{{"a", 1}});
    CHECK(tools.arrived.size() == 1);
    CHECK(tools.arrived[0].owner == "owner");
    CHECK(tools.told.empty());
    sink->finish(true);
    CHECK(tools.told == std::vector<OfferId>{1});
    receive(call(false, "2", "echo"));
    sink->finish(false);
    CHECK(tools.gone == std::vector<OfferId>{2});
}

TEST_CASE_FIXTURE(FakeServer,
                  "the tools hear of each call in the order of arrival, before any runs") {
    handshake("2025-11-25");
    run([this] {
        connection.receive(call(false, "1", "wait", "", R"(,"vscode.conversationId":"a")"), sink);
        connection.receive(call(false, "2", "echo", "", R"(,"vscode.conversationId":"b")"), sink);
        REQUIRE(tools.arrived.size() == 2);
        CHECK(tools.arrived[0].conversation == "a");
        CHECK(tools.arrived[1].conversation == "b");
        CHECK(tools.profiles.empty());
    });
    CHECK(tools.profiles.size() == 2);
}

TEST_CASE_FIXTURE(FakeServer, "calls overtake a waiting one, as do pings") {
    handshake("2025-11-25");
    receive(call(false, "1", "wait"));
    CHECK(sink->take().empty());
    CHECK(ask(call(false, "2", "echo")).at("id") == 2);
    CHECK(ask(request("3", "ping")).at("id") == 3);
    tools.end_waits();
    settle();
    const auto messages = sink->take();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at("id") == 1);
}

TEST_CASE_FIXTURE(FakeServer,
                  "a cancelled call is never answered, its offer is lost, its id is free") {
    for (const bool is_modern : {true, false}) {
        if (!is_modern) handshake("2025-11-25");
        tools.gone.clear();
        receive(call(is_modern, "7", "wait"));
        receive(cancelled("\"7\""));  // another id
        CHECK(tools.gone.empty());
        receive_all({cancelled("7"), call(is_modern, "7", "wait")});
        CHECK(sink->take().empty());
        CHECK(tools.gone.size() == 1);
        tools.end_waits();
        settle();
        CHECK(sink->take().size() == 1);
        receive(cancelled("7"));  // it has been answered
        CHECK(sink->take().empty());
    }
}

TEST_CASE_FIXTURE(FakeServer, "a call that is cancelled before it could begin does not run") {
    handshake("2025-11-25");
    receive_all({call(false, "1", "echo"), cancelled("1")});
    CHECK(sink->take().empty());
    CHECK(tools.profiles.empty());
    CHECK(ask(call(false, "1", "echo")).at("id") == 1);
}

TEST_CASE_FIXTURE(FakeServer, "a cancel that meets the answer does no harm") {
    handshake("2025-11-25");
    receive(call(false, "1", "wait"));
    run([this] {
        tools.end_waits();
        connection.receive(cancelled("1"), sink);
    });
    CHECK(sink->take().empty());
    CHECK(tools.gone.size() == 1);
    CHECK(tools.told.empty());
}

TEST_CASE_FIXTURE(FakeServer, "a cancel that comes after the answer makes it a lost one, once") {
    handshake("2025-11-25");
    receive(call(false, "1", "echo"));
    receive(call(false, "2", "echo"));
    sink->finish(true);
    CHECK(tools.told == std::vector<OfferId>{1, 2});
    receive(cancelled("1"));
    receive(cancelled("1"));
    CHECK(tools.gone == std::vector<OfferId>{1});
    // An id that was used again is that of the later answer, an open one that of its call.
    receive(call(false, "2", "echo"));
    receive(cancelled("2"));
    CHECK(tools.gone == std::vector<OfferId>{1, 3});
    receive(call(false, "2", "wait"));
    receive(cancelled("2"));
    CHECK(tools.gone == std::vector<OfferId>{1, 3, 4});
}

TEST_CASE_FIXTURE(FakeServer, "the id of an open call is refused, and the call goes on") {
    handshake("2025-11-25");
    receive(call(false, "1", "wait"));
    const auto refused = ask(call(false, "1", "echo"));
    CHECK(error_code(refused) == -32600);
    CHECK(refused.at("id") == 1);
    CHECK(error_code(ask(call(true, "1", "echo"))) == -32600);
    CHECK(error_code(ask(request("1", "ping"))) == -32600);
    CHECK(error_code(ask(modern("1", "tools/list"))) == -32600);
    CHECK(ask(call(false, "\"1\"", "echo")).at("id") == "1");
    CHECK(tools.arrived.size() == 2);
    tools.end_waits();
    settle();
    CHECK(sink->take().size() == 1);
    CHECK(ask(call(false, "1", "echo")).at("result").is_object());
}

TEST_CASE_FIXTURE(FakeServer, "open calls are bounded, and room is made by each that ends") {
    handshake("2025-11-25");
    for (int id = 0; id < 256; ++id) receive(call(false, std::to_string(id), "wait"));
    CHECK(sink->take().empty());
    const auto refused = ask(call(false, "300", "echo"));
    CHECK(error_code(refused) == -32603);
    CHECK(json::serialize(refused).find("256") != std::string::npos);
    receive(cancelled("0"));
    CHECK(ask(call(false, "300", "echo")).at("result").is_object());
}

TEST_CASE_FIXTURE(FakeServer, "a tool that throws is an internal error and is reported") {
    handshake("2025-11-25");
    CHECK(error_code(ask(call(false, "1", "fail"))) == -32603);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].find("it broke") != std::string::npos);
    CHECK(ask(call(false, "1", "echo")).at("result").is_object());
}

TEST_CASE_FIXTURE(FakeServer,
                  "the client's needs are those of its name, per request where it is modern") {
    handshake("2025-11-25", "claude-code");
    receive(call(false, "1", "echo"));
    receive(call(true, "2", "echo"));
    receive(call(true, "3", "echo", "",
                 R"(,"io.modelcontextprotocol/clientInfo":{"name":"gemini-cli","version":"1"})"));
    REQUIRE(tools.profiles.size() == 3);
    CHECK(tools.profiles[0].wait_ceiling == 25min);
    CHECK(!tools.profiles[0].show_structure);
    CHECK(tools.profiles[1].wait_ceiling == 50s);
    CHECK(tools.profiles[2].name == "gemini-cli");
    CHECK(tools.profiles[2].wait_ceiling == 9min);
}

TEST_CASE("structure is not made for revisions that have none") {
    for (const char* const revision : {"2024-11-05", "2025-03-26"}) {
        FakeServer old;
        old.handshake(revision);
        const auto answer = old.ask(call(false, "1", "echo"));
        CHECK(!old.tools.profiles[0].show_structure);
        CHECK(keys(answer.at("result")) == std::set<std::string>{"content"});
    }
}

namespace {

// Calls by themselves, so that the time of progress is ours.
struct CallsFixture : FakeServer {
    bgshell::mcp::Calls calls{loop.get_executor(), server};
    ~CallsFixture() {
        bgshell::platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
        scope.spawn(calls.close());
        settle();
    }
    void start(int id, std::string tool, json::value token,
               bgshell::mcp::Revision revision = bgshell::mcp::Revision::r2025_11_25) {
        bgshell::mcp::CallOrder order;
        order.tool = std::move(tool);
        order.terms.revision = revision;
        order.progress_token = std::move(token);
        bgshell::mcp::Reply reply{*bgshell::mcp::RequestId::from(id), sink};
        REQUIRE(!calls.start(std::move(order), reply));
        settle();
    }
    std::vector<json::value> progress_after(platform::Milliseconds time) {
        clock.advance(time);
        calls.send_progress(clock.now());
        return sink->take();
    }
    asio::awaitable<void> idles(platform::Milliseconds limit) {
        co_await calls.idle(limit);
        idle = true;
    }
    bool idle = false;
};

}  // namespace

TEST_CASE_FIXTURE(CallsFixture, "progress comes every 10 s to calls that gave a token, and grows") {
    start(1, "wait", "t");
    start(2, "wait", nullptr);
    CHECK(progress_after(9s).empty());
    auto messages = progress_after(1s);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] == json::parse(R"({"jsonrpc":"2.0","method":"notifications/progress","params":
        {"progressToken":"t","progress":10,"message":"still here"}})"));
    messages = progress_after(10s);
    REQUIRE(messages.size() == 1);
    CHECK(at(messages[0], "/params/progress") == 20);
    CHECK(calls.send_progress(clock.now()) == clock.now() + 10s);
}

TEST_CASE_FIXTURE(CallsFixture, "progress has no message where the revision knows none") {
    start(1, "wait", 5, bgshell::mcp::Revision::r2024_11_05);
    const auto messages = progress_after(10s);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at("params") == json::object{{"progressToken", 5}, {"progress", 10}});
}

TEST_CASE_FIXTURE(CallsFixture, "progress ends with the answer and with the cancel") {
    start(1, "wait", "a");
    tools.end_waits();
    settle();
    CHECK(sink->take().size() == 1);
    CHECK(progress_after(1min).empty());
    start(2, "wait", "b");
    run([this] { calls.cancel(*bgshell::mcp::RequestId::from(2)); });
    CHECK(progress_after(1min).empty());
    CHECK(!calls.send_progress(clock.now()));
}

TEST_CASE_FIXTURE(CallsFixture, "the end waits for calls that need no wait, and drops the others") {
    bgshell::platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
    start(1, "wait", nullptr);
    CHECK(calls.running() == 1);
    run([this] { calls.drop_waiting(); });
    scope.spawn(idles(1h));
    settle();
    CHECK(idle);
    CHECK(calls.running() == 0);
    CHECK(sink->take().empty());
    CHECK(tools.gone.size() == 1);
}

TEST_CASE_FIXTURE(CallsFixture, "closing gives every call up and joins it") {
    bgshell::platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
    for (int id = 0; id < 5; ++id) start(id, "wait", id);
    scope.spawn(calls.close());
    settle();
    CHECK(loop.stopped());
    CHECK(calls.running() == 0);
    CHECK(sink->take().empty());
    CHECK(tools.gone.size() == 5);
}
