// Connection: one conversation with a client, in which request ids are unique: a process on stdio,
// a legacy session over HTTP, or one modern HTTP exchange. Messages in, messages out; both eras, in
// any order. Knows no transport.
//
// Used on the loop thread only. What a method answers at once is sent before `receive` returns.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/calls.hpp"
#include "mcp/era.hpp"
#include "mcp/json_rpc.hpp"
#include "mcp/log_burst.hpp"
#include "mcp/message_sink.hpp"
#include "mcp/reply.hpp"
#include "mcp/server.hpp"
#include "platform/task_scope.hpp"

namespace bgshell::mcp {

class Connection {
  public:
    // `server` outlives it. `owner` is that of its callers. `standing` takes what belongs to no
    // request; null: nothing does, such messages are dropped.
    Connection(boost::asio::any_io_executor executor, const Server& server, std::string owner,
               std::shared_ptr<MessageSink> standing);
    // After `close`.
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // One message, whatever the bytes are; what it is answered by goes to `replies`.
    void receive(std::string_view message, const std::shared_ptr<MessageSink>& replies);

    // One line about something that happened, for clients that show a log: legacy ones, from their
    // level on. Lines within 200 ms make one message. Never counts as told.
    void announce(LogLevel level, const std::string& line);

    // The client says no more: calls that wait are given up, the others get until `limit` to be
    // answered.
    boost::asio::awaitable<void> finish(platform::Milliseconds limit);
    // Gives everything up and joins it.
    boost::asio::awaitable<void> close();

  private:
    struct Session {
        Terms terms;
        LogLevel log_level = LogLevel::info;
    };
    // Answered later, through the reply that was taken.
    struct Later {};
    using Answer = std::variant<boost::json::object, RpcError, Later>;

    void take(SingleMessage message, const std::shared_ptr<MessageSink>& replies);
    void take(Batch batch, const std::shared_ptr<MessageSink>& replies);
    void serve(Request request, Reply reply);
    void take(const Notification& notification);
    Answer answer(Request& request, Reply& reply);
    Answer answer(Method method, const Terms& terms, Request& request, Reply& reply);
    Answer initialize(const Request& request);
    Answer set_level(const Request& request);
    Answer list_tools(const Terms& terms, const Request& request) const;
    Answer call_tool(const Terms& terms, Request& request, Reply& reply);
    boost::asio::awaitable<void> send_burst();

    const Server& server_;
    std::string owner_;
    std::shared_ptr<MessageSink> standing_;
    std::optional<Session> session_;  // after `initialize`
    LogBurst burst_;
    boost::asio::steady_timer burst_end_;
    Calls calls_;
    platform::TaskScope scope_;
};

}  // namespace bgshell::mcp
