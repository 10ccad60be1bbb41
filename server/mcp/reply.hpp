// Reply: where the answer to one request goes: alone, or into the array of its batch.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/json_rpc.hpp"
#include "mcp/message_sink.hpp"

namespace bgshell::mcp {

// The array that answers a batch: sent when the last of its requests has been answered or given up.
// It is one line, which its answers share: one that leaves too little for those to come becomes an
// error that says so.
class BatchReply {
  public:
    // Of a batch of `messages`.
    BatchReply(std::shared_ptr<MessageSink> sink, std::size_t messages)
        : sink_{std::move(sink)}, messages_{messages}, to_come_{messages} {}
    [[nodiscard]] std::size_t messages() const noexcept { return messages_; }
    void expect() { ++open_; }
    void add(const std::optional<RequestId>& id, const std::string& message,
             std::function<void(bool)> done);
    // One that was expected is answered, or never will be.
    void settle();
    [[nodiscard]] const std::shared_ptr<MessageSink>& sink() const noexcept { return sink_; }

  private:
    std::shared_ptr<MessageSink> sink_;
    std::size_t messages_;
    std::size_t to_come_;
    std::size_t open_ = 0;
    std::string array_;  // without the closing bracket
    std::vector<std::function<void(bool)>> done_;
};

// Movable; answers at most once. One that is destroyed unanswered leaves its request without a
// response, as a cancelled one must be.
class Reply {
  public:
    Reply(RequestId id, std::shared_ptr<MessageSink> sink);
    Reply(RequestId id, std::shared_ptr<BatchReply> batch);
    Reply(Reply&& other) noexcept = default;
    Reply& operator=(Reply&&) = delete;
    ~Reply();

    [[nodiscard]] const RequestId& id() const noexcept { return id_; }
    // How many messages there are to answer on the same line.
    [[nodiscard]] std::size_t shared_by() const noexcept { return batch_ ? batch_->messages() : 1; }
    // Whether it can still answer.
    [[nodiscard]] bool open() const noexcept { return sink_ != nullptr; }
    // `done` as in MessageSink.
    void result(const boost::json::object& result, std::function<void(bool)> done = {});
    void error(const RpcError& error);
    // A notification that belongs to this request; before its answer only.
    void notify(std::string_view method, const boost::json::object& params);

  private:
    void send(std::string message, std::function<void(bool)> done);
    RequestId id_;
    std::shared_ptr<MessageSink> sink_;
    std::shared_ptr<BatchReply> batch_;
};

}  // namespace bgshell::mcp
