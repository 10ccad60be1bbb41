#include "transport/stdio_endpoint.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <vector>

#include "unit/mcp/fake_server.hpp"
#include "unit/transport/descriptors.hpp"

using namespace bgshell::test;
using namespace std::chrono_literals;
using bgshell::transport::StdioEndpoint;

namespace {

struct EndpointFixture : IgnoreSigpipe {
    explicit EndpointFixture(bool sockets = false)
        : to_server{sockets ? make_socket_pair() : make_pipe()},
          from_server{sockets ? make_socket_pair() : make_pipe()} {
        auto opened = StdioEndpoint::open(loop.get_executor(), server, "owner",
                                          to_server.read.get(), from_server.write.get());
        REQUIRE(opened.has_value());
        endpoint = std::move(*opened);
        scope.spawn(run());
        settle();
    }
    ~EndpointFixture() {
        endpoint->stop();
        from_server.read.reset();
        loop.restart();
        loop.run_for(5s);
    }
    asio::awaitable<void> run() {
        co_await endpoint->run();
        ended = true;
    }
    void settle() {
        loop.restart();
        loop.poll();
    }
    void say(std::string_view bytes) {
        write_all(to_server.write.get(), bytes);
        settle();
    }
    // The lines that have come, parsed; the rest stays in `rest`.
    std::vector<json::value> hear() {
        settle();
        for (std::string got; !(got = read_now(from_server.read.get(), 1 << 20)).empty();
             settle()) {
            rest += got;
        }
        std::vector<json::value> messages;
        for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos;) {
            messages.push_back(json::parse(rest.substr(0, end)));
            rest.erase(0, end + 1);
        }
        return messages;
    }
    static std::string initialize() {
        return FakeServer::request("0", "initialize",
                                   R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                   R"("clientInfo":{"name":"c","version":"1"}})") +
               "\n";
    }
    static std::string call(int id, std::string_view tool, std::string_view arguments = "{}") {
        return FakeServer::request(std::to_string(id), "tools/call",
                                   R"({"name":")" + std::string{tool} + R"(","arguments":)" +
                                       std::string{arguments} + "}") +
               "\n";
    }
    // Runs until the endpoint has ended; how long that took.
    std::chrono::milliseconds run_to_end() {
        const auto begin = std::chrono::steady_clock::now();
        loop.restart();
        loop.run_for(5s);
        REQUIRE(ended);
        CHECK(loop.stopped());  // nothing is left to run
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                             begin);
    }

    asio::io_context loop;
    ManualClock clock;
    FakeTools tools{loop};
    bgshell::mcp::Server server{
        {"bgshell", "t", "1", "d", ""}, tools, clock, [](const std::string&) {}};
    Ends to_server;
    Ends from_server;
    std::string rest;
    bool ended = false;
    std::unique_ptr<StdioEndpoint> endpoint;
    bgshell::platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
};
struct SocketFixture : EndpointFixture {
    SocketFixture() : EndpointFixture{true} {}
};

std::int64_t id_of(const json::value& message) {
    return message.at("id").as_int64();
}

}  // namespace

TEST_CASE_FIXTURE(EndpointFixture,
                  "a session over pipes, byte by byte, with \\r\\n and empty lines") {
    std::string bytes = initialize() + call(1, "echo") + FakeServer::request("2", "ping") + "\n";
    for (std::size_t at = 0; (at = bytes.find('\n', at)) != std::string::npos; at += 3) {
        bytes.replace(at, 1, "\r\n\n");
    }
    for (const char byte : bytes) say({&byte, 1});
    auto messages = hear();
    REQUIRE(messages.size() == 3);
    std::sort(messages.begin(), messages.end(),
              [](const auto& a, const auto& b) { return id_of(a) < id_of(b); });
    CHECK(at(messages[0], "/result/protocolVersion") == "2025-11-25");
    CHECK(at(messages[1], "/result/content/0/text") == "{}");
    CHECK(at(messages[2], "/result") == json::object{});
    CHECK(tools.told.size() == 1);
    CHECK(rest.empty());
}

TEST_CASE_FIXTURE(SocketFixture, "a session over sockets, as Node makes them") {
    say(initialize() + call(1, "echo"));
    CHECK(hear().size() == 2);
    to_server.write.reset();
    CHECK(run_to_end() < 1s);
}

TEST_CASE_FIXTURE(EndpointFixture,
                  "large answers with calls in flight come whole to a slow reader") {
    const std::string text(300'000, 'x');
    say(initialize());
    CHECK(hear().size() == 1);
    // More than the pipe takes: written from both sides in turn.
    std::string requests;
    for (int id = 1; id <= 4; ++id) requests += call(id, "echo", R"({"a":")" + text + R"("})");
    std::string got;
    while (!requests.empty()) {
        const std::string piece = requests.substr(0, 16 << 10);
        requests.erase(0, piece.size());
        say(piece);
        got += read_now(from_server.read.get(), 1);
    }
    for (std::string more; !(more = read_now(from_server.read.get(), 1000)).empty(); settle()) {
        got += more;
    }
    REQUIRE(std::count(got.begin(), got.end(), '\n') == 4);
    CHECK(got.back() == '\n');
    std::set<std::int64_t> ids;
    for (std::size_t begin = 0; begin < got.size();) {
        const std::size_t end = got.find('\n', begin);
        const auto message = json::parse(got.substr(begin, end - begin));
        CHECK(at(message, "/result/structuredContent/a").as_string().size() == text.size());
        ids.insert(id_of(message));
        begin = end + 1;
    }
    CHECK(ids == std::set<std::int64_t>{1, 2, 3, 4});
}

TEST_CASE_FIXTURE(EndpointFixture,
                  "a line over the limit is refused without an id, and the session goes on") {
    const std::string junk(64 << 10, 'x');
    for (std::size_t sent = 0; sent <= StdioEndpoint::kLongestLine; sent += junk.size()) say(junk);
    auto messages = hear();
    REQUIRE(messages.size() == 1);
    CHECK(error_code(messages[0]) == -32600);
    CHECK(!messages[0].as_object().contains("id"));
    say(junk);
    say("\n" + FakeServer::request("1", "ping") + "\n");
    messages = hear();
    REQUIRE(messages.size() == 1);
    CHECK(id_of(messages[0]) == 1);
}

TEST_CASE_FIXTURE(EndpointFixture,
                  "another framing and junk are answered, and the session goes on") {
    say("Content-Length: 40\r\n\r\n" + FakeServer::request("1", "ping") + "\n{\n\xFF\n");
    const auto messages = hear();
    REQUIRE(messages.size() == 4);
    CHECK(error_code(messages[0]) == -32700);
    CHECK(id_of(messages[1]) == 1);
    CHECK(error_code(messages[2]) == -32700);
    CHECK(error_code(messages[3]) == -32700);
}

TEST_CASE_FIXTURE(EndpointFixture,
                  "requests that were read before the end are answered, waits are dropped") {
    const std::string last = FakeServer::request("3", "ping");
    write_all(to_server.write.get(), initialize() + call(1, "wait") + call(2, "echo") + last);
    to_server.write.reset();
    CHECK(run_to_end() < 1s);
    std::set<std::int64_t> ids;
    for (const auto& message : hear()) ids.insert(id_of(message));
    CHECK(ids == std::set<std::int64_t>{0, 2, 3});
    CHECK(tools.told.size() == 1);
}

TEST_CASE_FIXTURE(EndpointFixture, "an end with nothing open takes no time") {
    say(initialize());
    to_server.write.reset();
    CHECK(run_to_end() < 1s);
}

TEST_CASE_FIXTURE(EndpointFixture, "stop is an end, also while the client reads nothing") {
    REQUIRE(::fcntl(from_server.write.get(), F_SETPIPE_SZ, 4096) > 0);
    say(initialize() + call(1, "echo", R"({"a":")" + std::string(30'000, 'x') + R"("})"));
    endpoint->stop();
    endpoint->stop();
    CHECK(run_to_end() < 1s);
    CHECK(tools.gone.size() == 1);
}

TEST_CASE_FIXTURE(EndpointFixture, "a cancellation of the run is a stop") {
    say(initialize() + call(1, "wait") + call(2, "echo"));
    asio::post(loop, [this] { scope.cancel(); });
    CHECK(run_to_end() < 1s);
    CHECK(tools.told.size() == 1);
    CHECK(tools.gone.size() == 1);
}

TEST_CASE_FIXTURE(EndpointFixture, "a client that is gone without reading ends the session") {
    say(initialize());
    from_server.read.reset();
    say(call(1, "wait") + call(2, "echo"));
    CHECK(run_to_end() < 1s);
    CHECK(tools.told.empty());
    CHECK(tools.gone.size() == 2);
}

TEST_CASE_FIXTURE(EndpointFixture,
                  "a client that writes much and reads nothing is not read without bound") {
    say(initialize());
    const std::string big = call(1, "echo", R"({"a":")" + std::string(60'000, 'x') + R"("})");
    REQUIRE(::fcntl(to_server.write.get(), F_SETFL, O_WRONLY | O_NONBLOCK) == 0);
    std::size_t taken = 0;
    std::string_view left = big;
    for (int idle = 0; idle < 3 && taken < std::size_t{40} << 20;) {
        const ssize_t count = ::write(to_server.write.get(), left.data(), left.size());
        settle();
        if (count < 0) {
            ++idle;
            continue;
        }
        idle = 0;
        taken += static_cast<std::size_t>(count);
        left.remove_prefix(static_cast<std::size_t>(count));
        if (left.empty()) left = big;
    }
    CHECK(taken > std::size_t{2} << 20);
    CHECK(taken < std::size_t{12} << 20);
    endpoint->stop();
    CHECK(run_to_end() < 1s);
}

TEST_CASE("a /dev/null or a file as standard input is served and ends") {
    asio::io_context loop;
    ManualClock clock;
    FakeTools tools{loop};
    bgshell::mcp::Server server{{"b", "t", "1", "d", ""}, tools, clock, [](const std::string&) {}};
    std::string name = "/tmp/bgshell-test-XXXXXX";
    const bgshell::platform::UniqueFd file{::mkostemp(name.data(), O_CLOEXEC)};
    REQUIRE(file);
    REQUIRE(::unlink(name.c_str()) == 0);
    write_all(file.get(), EndpointFixture::initialize());
    REQUIRE(::lseek(file.get(), 0, SEEK_SET) == 0);
    const bgshell::platform::UniqueFd null{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    for (const int in : {null.get(), file.get()}) {
        const Ends out = make_pipe();
        auto endpoint = StdioEndpoint::open(loop.get_executor(), server, "o", in, out.write.get());
        REQUIRE(endpoint.has_value());
        bgshell::platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
        scope.spawn((*endpoint)->run());
        loop.restart();
        loop.run_for(5s);
        CHECK(scope.running() == 0);
        CHECK(read_now(out.read.get(), 10'000).empty() == (in == null.get()));
        endpoint->reset();
        CHECK(!is_non_blocking(in));
    }
}
