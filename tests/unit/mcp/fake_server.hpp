// A server with three tools that do nothing, a clock turned by hand, and a sink in memory.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mcp/connection.hpp"
#include "mcp/message_sink.hpp"
#include "mcp/server.hpp"

namespace bgshell::test {

namespace asio = boost::asio;
namespace json = boost::json;

class ManualClock final : public platform::Clock {
  public:
    [[nodiscard]] platform::Instant now() const override { return now_; }
    [[nodiscard]] platform::WallTime wall() const override { return {}; }
    void advance(platform::Milliseconds by) { now_ += by; }

  private:
    platform::Instant now_{std::chrono::hours{1}};
};

// Keeps what is sent; `finish` says how the writing ended.
class MemorySink final : public mcp::MessageSink {
  public:
    void send(std::string message, std::function<void(bool)> done) override {
        sent.push_back(std::move(message));
        if (done) open.push_back(std::move(done));
    }
    void finish(bool written) {
        for (auto& done : std::exchange(open, {})) done(written);
    }
    // The messages since the last call, parsed.
    std::vector<json::value> take() {
        std::vector<json::value> values;
        for (const auto& each : std::exchange(sent, {})) values.push_back(json::parse(each));
        return values;
    }
    std::vector<std::string> sent;
    std::vector<std::function<void(bool)>> open;
};

class FakeTools final : public tools::ToolSet {
  public:
    explicit FakeTools(asio::io_context& loop) : end_{loop, asio::steady_timer::time_point::max()} {
        for (const char* const name : {"echo", "wait", "fail"}) {
            tools::ToolDefinition tool;
            tool.name = name;
            tool.title = std::string{"The tool "} + name;
            tool.description = "For tests.";
            tool.input_schema = json::parse(R"({"type":"object","properties":{}})").as_object();
            tool.output_schema = json::parse(R"({"type":"object"})").as_object();
            tool.meta["example.org/x"] = 1;
            tool.hints = {true, false, true, false};
            definitions_.push_back(std::move(tool));
        }
    }
    [[nodiscard]] const std::vector<tools::ToolDefinition>& definitions() const override {
        return definitions_;
    }
    [[nodiscard]] std::string instructions() const override { return "Use it."; }
    void call_arrived(const jobs::Caller& caller) override { arrived.push_back(caller); }

    // echo answers at once, wait when `end_waits` is called, fail throws.
    asio::awaitable<tools::CallResult> call(std::string name, json::object arguments,
                                            tools::CallContext& context) override {
        profiles.push_back(context.profile);
        shares.push_back(context.shared_by);
        if (name == "fail") throw std::runtime_error{"it broke"};
        if (name == "wait") {
            context.progress = [] { return std::string{"still here"}; };
            const auto [ignored] = co_await end_.async_wait(asio::as_tuple(asio::use_awaitable));
            static_cast<void>(ignored);
            context.progress = nullptr;
        }
        tools::CallResult result;
        json::object block;
        block["type"] = "text";
        block["text"] = json::serialize(arguments);
        result.content.push_back(std::move(block));
        result.structured = std::move(arguments);
        result.is_error = result.structured->contains("bad");
        result.offer = next_offer++;
        co_return result;
    }
    void written(jobs::OfferId offer) override { told.push_back(offer); }
    void lost(jobs::OfferId offer) override { gone.push_back(offer); }
    void end_waits() { end_.cancel(); }

    std::vector<jobs::Caller> arrived;
    std::vector<tools::ClientProfile> profiles;
    std::vector<std::size_t> shares;
    std::vector<jobs::OfferId> told;
    std::vector<jobs::OfferId> gone;
    jobs::OfferId next_offer = 1;

  private:
    std::vector<tools::ToolDefinition> definitions_;
    asio::steady_timer end_;
};

struct FakeServer {
    FakeServer() = default;
    ~FakeServer() {
        platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
        scope.spawn(connection.close());
        settle();
    }
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    void receive(std::string message) { receive_all({std::move(message)}); }
    // In one turn of the loop.
    void receive_all(std::vector<std::string> messages) {
        run([this, messages = std::move(messages)] {
            for (const auto& message : messages) connection.receive(message, sink);
        });
    }
    // Runs `work` on the loop, and what it makes ready.
    void run(std::function<void()> work) {
        asio::post(loop, std::move(work));
        settle();
    }
    // Runs what is ready to run.
    void settle() {
        loop.restart();
        loop.poll();
    }
    // What `message` is answered by: exactly one message.
    json::value ask(std::string message) {
        receive(std::move(message));
        auto messages = sink->take();
        if (messages.size() != 1) throw std::runtime_error{"not exactly one answer"};
        return std::move(messages.front());
    }
    void handshake(std::string_view revision, std::string_view client = "tester") {
        receive(request("\"hello\"", "initialize",
                        R"({"protocolVersion":")" + std::string{revision} +
                            R"(","capabilities":{},"clientInfo":{"name":")" + std::string{client} +
                            R"(","version":"1"}})"));
        receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        sink->take();
    }
    static std::string request(std::string_view id, std::string_view method,
                               std::string_view params = "{}") {
        return R"({"jsonrpc":"2.0","id":)" + std::string{id} + R"(,"method":")" +
               std::string{method} + R"(","params":)" + std::string{params} + "}";
    }
    // A modern request; `params` are the insides of its params object, ending in a comma unless
    // empty.
    static std::string modern(std::string_view id, std::string_view method,
                              std::string_view params = "", std::string_view meta = "") {
        return request(id, method,
                       "{" + std::string{params} +
                           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                           R"("io.modelcontextprotocol/clientCapabilities":{})" +
                           std::string{meta} + "}}");
    }

    asio::io_context loop;
    ManualClock clock;
    FakeTools tools{loop};
    std::vector<std::string> reports;
    mcp::Server server{{"bgshell", "Background shell", "1.2.3", "Jobs.", ""},
                       tools,
                       clock,
                       [this](const std::string& line) { reports.push_back(line); }};
    std::shared_ptr<MemorySink> sink = std::make_shared<MemorySink>();
    mcp::Connection connection{loop.get_executor(), server, "owner", sink};
};

inline json::value at(const json::value& value, std::string_view pointer) {
    return value.at_pointer(pointer);
}

inline std::int64_t error_code(const json::value& answer) {
    return answer.at("error").at("code").as_int64();
}

inline std::set<std::string> keys(const json::value& object) {
    std::set<std::string> names;
    for (const auto& [key, value] : object.as_object()) names.emplace(std::string_view{key});
    return names;
}

}  // namespace bgshell::test
