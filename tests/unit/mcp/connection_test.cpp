#include "mcp/connection.hpp"

#include <doctest/doctest.h>

#include "unit/mcp/fake_server.hpp"

using namespace bgshell::test;
using bgshell::mcp::LogLevel;

TEST_CASE_FIXTURE(FakeServer, "before any handshake a client may ping and discover, no more") {
    CHECK(ask(request("1", "ping")) == json::parse(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
    CHECK(error_code(ask(request("2", "tools/list"))) == -32600);
    CHECK(error_code(ask(request("3", "no/such"))) == -32600);
    CHECK(error_code(ask(request("4", "server/discover"))) == -32602);
    CHECK(ask(modern("5", "server/discover")).at("result").is_object());
    CHECK(tools.arrived.empty());
}

TEST_CASE_FIXTURE(FakeServer, "a handshake is done once, and only a good one counts") {
    CHECK(error_code(ask(request("1", "initialize", R"({"protocolVersion":"2025-06-18"})"))) ==
          -32602);
    CHECK(error_code(ask(request("2", "tools/list"))) == -32600);
    handshake("2025-06-18");
    CHECK(ask(request("3", "tools/list")).at("result").at("tools").as_array().size() == 3);
    CHECK(error_code(ask(request("4", "initialize", R"({"protocolVersion":"2025-06-18"})"))) ==
          -32600);
    CHECK(ask(request("5", "ping")).at("result") == json::object{});
}

TEST_CASE_FIXTURE(FakeServer,
                  "initialize answers at once, and requests are served without initialized") {
    const auto answer = ask(request("\"a\"", "initialize",
                                    R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                    R"("clientInfo":{"name":"c","version":"1"}})"));
    CHECK(answer.at("id") == "a");
    CHECK(answer.at("result").at("protocolVersion") == "2025-11-25");
    CHECK(ask(request("1", "tools/list")).at("result").is_object());
}

TEST_CASE_FIXTURE(FakeServer, "both eras live on one connection, in either order") {
    CHECK(ask(modern("1", "tools/list")).at("result").at("resultType") == "complete");
    handshake("2025-03-26");
    CHECK(!ask(request("2", "tools/list")).at("result").as_object().contains("resultType"));
    CHECK(ask(modern("3", "server/discover")).at("result").at("resultType") == "complete");
    const auto old = at(ask(request("4", "tools/list")), "/result/tools/0");
    CHECK(keys(old) == std::set<std::string>{"name", "description", "inputSchema", "annotations"});
}

TEST_CASE_FIXTURE(FakeServer, "unknown methods follow the era") {
    handshake("2025-11-25");
    for (const char* const method :
         {"resources/list", "prompts/list", "completion/complete", "tasks/get",
          "subscriptions/listen", "resources/subscribe", "no/such", ""}) {
        CHECK(error_code(ask(request("1", method))) == -32601);
        CHECK(error_code(ask(modern("2", method))) == -32601);
    }
    for (const char* const method : {"initialize", "ping", "logging/setLevel"}) {
        CHECK(error_code(ask(modern("3", method))) == -32601);
    }
    CHECK(error_code(ask(request("4", "server/discover"))) == -32602);
}

TEST_CASE_FIXTURE(FakeServer, "an envelope that is not served says what is, on every method") {
    const std::string params =
        R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}})";
    for (const char* const method : {"server/discover", "initialize", "tools/call"}) {
        const auto answer = ask(request("1", method, params));
        CHECK(error_code(answer) == -32022);
        CHECK(at(answer, "/error/data") ==
              json::object{{"supported", json::parse(R"(["2026-07-28"])")},
                           {"requested", "2025-11-25"}});
    }
}

TEST_CASE_FIXTURE(FakeServer, "notifications and responses are never answered") {
    for (const bool in_session : {false, true}) {
        if (in_session) handshake("2025-11-25");
        for (const char* const message :
             {R"({"jsonrpc":"2.0","method":"no/such"})",
              R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
              R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}})",
              R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}})",
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}})",
              R"({"jsonrpc":"2.0","id":1,"result":{}})",
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}})"}) {
            receive(message);
        }
    }
    CHECK(sink->take().empty());
    CHECK(tools.arrived.empty());
}

TEST_CASE_FIXTURE(FakeServer, "a bad line is answered without an id and nothing else suffers") {
    const auto answer = ask("{\"jsonrpc\":");
    CHECK(keys(answer) == std::set<std::string>{"jsonrpc", "error"});
    CHECK(error_code(answer) == -32700);
    CHECK(error_code(ask(R"({"jsonrpc":"2.0","id":null,"method":"ping"})")) == -32600);
    CHECK(ask(request("1", "ping")).at("result") == json::object{});
}

TEST_CASE("empty legacy results are really empty") {
    for (const char* const revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
        FakeServer fresh;
        fresh.handshake(revision);
        CHECK(fresh.ask(FakeServer::request("1", "ping")) ==
              json::parse(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
        CHECK(fresh.ask(FakeServer::request("2", "logging/setLevel", R"({"level":"error"})")) ==
              json::parse(R"({"jsonrpc":"2.0","id":2,"result":{}})"));
    }
}

TEST_CASE_FIXTURE(FakeServer, "a bad level or cursor is refused, the first page's cursor is not") {
    handshake("2025-11-25");
    for (const char* const params : {"{}", R"({"level":"LOUD"})", R"({"level":5})"}) {
        CHECK(error_code(ask(request("1", "logging/setLevel", params))) == -32602);
    }
    for (const char* const cursor : {R"("2")", "2", "[]"}) {
        const std::string given = R"("cursor":)" + std::string{cursor};
        CHECK(error_code(ask(request("1", "tools/list", "{" + given + "}"))) == -32602);
        CHECK(error_code(ask(modern("1", "tools/list", given + ","))) == -32602);
    }
    CHECK(ask(request("1", "tools/list", R"({"cursor":""})")).at("result").is_object());
    CHECK(ask(request("1", "tools/list", R"({"cursor":null})")).at("result").is_object());
}

TEST_CASE_FIXTURE(FakeServer, "calls whose params have the wrong shape never reach a tool") {
    handshake("2025-06-18");
    for (const char* const params :
         {"{}", R"({"name":5})", R"({"name":"nope"})", R"({"name":"ECHO"})",
          R"({"name":"echo","arguments":[]})", R"({"name":"echo","arguments":"x"})"}) {
        CAPTURE(params);
        CHECK(error_code(ask(request("1", "tools/call", params))) == -32602);
    }
    CHECK(tools.arrived.empty());
    const auto answer = ask(request("2", "tools/call", R"({"name":"nope"})"));
    const std::string text{std::string_view{at(answer, "/error/message").as_string()}};
    CHECK(text.find("\"nope\"") != std::string::npos);
    CHECK(text.find("echo, wait, fail") != std::string::npos);
}

TEST_CASE_FIXTURE(FakeServer, "a name that is not known is quoted in short") {
    handshake("2025-06-18");
    const std::string name(100'000, 'x');
    const auto message = [&](const std::string& line) {
        return std::string{std::string_view{at(ask(line), "/error/message").as_string()}};
    };
    CHECK(message(request("1", "tools/call", R"({"name":")" + name + R"("})")).size() < 1000);
    CHECK(message(request("2", name)).size() < 1000);
}

TEST_CASE_FIXTURE(FakeServer, "what is told back of a request is never long") {
    const std::string longest(254, 'x');
    CHECK(ask(request("\"" + longest + "\"", "ping")).at("id") == json::string_view{longest});
    for (const std::string& id :
         {longest + "x", std::string(100'000, 'x'), R"(\u0001)" + longest}) {
        const auto refused = ask(request("\"" + id + "\"", "ping"));
        CHECK(error_code(refused) == -32600);
        CHECK_FALSE(refused.as_object().contains("id"));
        CHECK(json::serialize(refused).find("at most 256 bytes") != std::string::npos);
    }
    const std::string version(100'000, '7');
    const auto refused = ask(request("1", "tools/list",
                                     R"({"_meta":{"io.modelcontextprotocol/clientCapabilities":{},)"
                                     R"("io.modelcontextprotocol/protocolVersion":")" +
                                         version + R"("}})"));
    CHECK(error_code(refused) == -32022);
    CHECK(json::serialize(refused).size() < 1000);
}

TEST_CASE_FIXTURE(FakeServer, "absent and null arguments are none") {
    handshake("2025-11-25");
    for (const char* const params : {R"({"name":"echo"})", R"({"name":"echo","arguments":null})"}) {
        CHECK(at(ask(request("1", "tools/call", params)), "/result/content/0/text") == "{}");
    }
}

TEST_CASE_FIXTURE(FakeServer, "log messages go to a legacy session, from its level on") {
    connection.announce(LogLevel::emergency, "too early");
    receive(modern("1", "tools/list", "", R"(,"io.modelcontextprotocol/logLevel":"debug")"));
    connection.announce(LogLevel::emergency, "modern only");
    settle();
    CHECK(loop.stopped());  // nothing is to come
    sink->take();
    handshake("2025-11-25");
    connection.announce(LogLevel::debug, "below");
    connection.announce(LogLevel::info, "a");
    connection.announce(LogLevel::info, "b");
    settle();
    CHECK(sink->take().empty());
    loop.restart();
    loop.run();  // the end of the burst is all that is left to do
    const auto messages = sink->take();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at("method") == "notifications/message");
    CHECK(messages[0].at("params") ==
          json::object{{"level", "info"}, {"logger", "jobs"}, {"data", "a\nb"}});
    receive(request("2", "logging/setLevel", R"({"level":"error"})"));
    connection.announce(LogLevel::warning, "c");
    settle();
    CHECK(loop.stopped());
}

TEST_CASE_FIXTURE(FakeServer, "an old batch is answered by one array") {
    handshake("2025-03-26");
    const auto answer =
        ask("[" + request("1", "ping") + "," + request("2", "no/such") +
            R"(,{"jsonrpc":"2.0","method":"notifications/initialized"},)" +
            request("3", "tools/call", R"({"name":"echo"})") +
            R"(,7,{"jsonrpc":"2.0","id":9,"result":{}},)" + request("4", "initialize") + "]");
    const auto& entries = answer.as_array();
    REQUIRE(entries.size() == 5);
    std::set<std::string> ids;
    for (const auto& entry : entries) {
        const auto* const id = entry.as_object().if_contains("id");
        ids.insert(id == nullptr ? "none" : json::serialize(*id));
        if (id != nullptr && *id == 4) CHECK(error_code(entry) == -32600);
    }
    CHECK(ids == std::set<std::string>{"1", "2", "3", "4", "none"});
    CHECK(tools.told.empty());
    sink->finish(true);
    CHECK(tools.told.size() == 1);
}

TEST_CASE_FIXTURE(FakeServer,
                  "a batch waits for its last call, and leaves out what was cancelled") {
    handshake("2025-03-26");
    const std::string wait = request("2", "tools/call", R"({"name":"wait"})");
    const std::string cancel =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})";
    receive("[" + request("1", "ping") + "," + wait + "]");
    CHECK(sink->take().empty());
    receive(cancel);
    CHECK(sink->take() == std::vector{json::parse(R"([{"jsonrpc":"2.0","id":1,"result":{}}])")});
    receive("[" + wait + "]");
    receive(cancel);
    CHECK(sink->take().empty());
    receive("[" + wait + "]");
    tools.end_waits();
    settle();
    const auto messages = sink->take();
    REQUIRE(messages.size() == 1);
    CHECK(at(messages[0], "/0/id") == 2);
}

TEST_CASE_FIXTURE(FakeServer, "the answers of a batch share its line") {
    handshake("2025-03-26");
    const auto echo = [](int id, std::size_t size) {
        return request(std::to_string(id), "tools/call",
                       R"({"name":"echo","arguments":{"a":")" + std::string(size, 'x') + R"("}})");
    };
    std::string batch = "[" + echo(0, 100);
    for (int id = 1; id < 10; ++id) batch += "," + echo(id, id == 7 ? 100 : 10'000);
    receive(batch + "]");
    CHECK(tools.shares == std::vector<std::size_t>(10, 10));
    REQUIRE(sink->sent.size() == 1);
    CHECK(sink->sent[0].size() < 60'000);
    const auto entries = sink->take()[0].as_array();
    REQUIRE(entries.size() == 10);
    std::size_t whole = 0;
    for (const auto& entry : entries) {
        if (entry.as_object().contains("result")) {
            ++whole;
        } else {
            CHECK(error_code(entry) == -32603);
        }
    }
    CHECK(whole == 7);  // five of 10,000 bytes, and the small ones
    CHECK(entries[7].as_object().contains("result"));
    // What the others told was not read.
    sink->finish(true);
    CHECK(tools.told.size() == 7);
    CHECK(tools.gone.size() == 3);
}

TEST_CASE_FIXTURE(FakeServer, "a batch without requests is not answered") {
    handshake("2025-03-26");
    receive(R"([{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}])");
    CHECK(sink->take().empty());
}

TEST_CASE_FIXTURE(FakeServer, "batches are refused as a whole where they do not belong") {
    const std::string ping = "[" + request("1", "ping") + "]";
    CHECK(error_code(ask(ping)) == -32600);
    handshake("2025-03-26");
    CHECK(error_code(ask("[]")) == -32600);
    CHECK(error_code(ask("[" + request("1", "ping") + "," + modern("2", "tools/list") + "]")) ==
          -32600);
    std::string many = "[" + request("1", "ping");
    for (int count = 1; count < 100; ++count) many += "," + request("1", "ping");
    CHECK(ask(many + "]").as_array().size() == 100);
    CHECK(error_code(ask(many + "," + request("1", "ping") + "]")) == -32600);
    for (const char* const revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
        FakeServer fresh;
        fresh.handshake(revision);
        const auto answer = fresh.ask(ping);
        CHECK(error_code(answer) == -32600);
        CHECK(!answer.as_object().contains("id"));
    }
}
