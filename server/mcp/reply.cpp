#include "mcp/reply.hpp"

#include <utility>

#include "tools/answer_budget.hpp"

namespace bgshell::mcp {

namespace {

// What every answer to come may take: the error below, with the longest id.
constexpr std::size_t kLeastAnswer = 420;

RpcError too_long_for_batch() {
    return {ErrorCode::internal_error,
            "Its answer does not fit into the line of the batch: ask alone. What it started, list "
            "shows."};
}

}  // namespace

void BatchReply::add(const std::optional<RequestId>& id, const std::string& message,
                     std::function<void(bool)> done) {
    --to_come_;
    const std::size_t taken = array_.size() + to_come_ * kLeastAnswer + 3;  // ",", "]", newline
    const bool fits = taken + message.size() <= tools::kAnswerBytes;
    array_ += array_.empty() ? '[' : ',';
    array_ += fits ? message : write_error(id, too_long_for_batch());
    if (!done) return;
    if (fits) {
        done_.push_back(std::move(done));
    } else {
        done(false);
    }
}

void BatchReply::settle() {
    if (--open_ > 0 || array_.empty()) return;
    array_ += ']';
    sink_->send(std::move(array_), [done = std::move(done_)](bool written) {
        for (const auto& each : done) each(written);
    });
}

Reply::Reply(RequestId id, std::shared_ptr<MessageSink> sink)
    : id_{std::move(id)}, sink_{std::move(sink)} {}

Reply::Reply(RequestId id, std::shared_ptr<BatchReply> batch)
    : id_{std::move(id)}, sink_{batch->sink()}, batch_{std::move(batch)} {
    batch_->expect();
}

Reply::~Reply() {
    if (batch_) batch_->settle();
}

void Reply::result(const boost::json::object& result, std::function<void(bool)> done) {
    send(write_result(id_, result), std::move(done));
}

void Reply::error(const RpcError& error) {
    send(write_error(id_, error), {});
}

void Reply::notify(std::string_view method, const boost::json::object& params) {
    if (sink_) sink_->send(write_notification(method, params), {});
}

void Reply::send(std::string message, std::function<void(bool)> done) {
    const auto sink = std::exchange(sink_, nullptr);
    if (const auto batch = std::exchange(batch_, nullptr)) {
        batch->add(id_, message, std::move(done));
        batch->settle();
    } else if (sink) {
        sink->send(std::move(message), std::move(done));
    }
}

}  // namespace bgshell::mcp
