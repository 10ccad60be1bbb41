#include "mcp/reply.hpp"

#include <utility>

namespace bgshell::mcp {

void BatchReply::add(const std::string& message, std::function<void(bool)> done) {
    array_ += array_.empty() ? '[' : ',';
    array_ += message;
    if (done) done_.push_back(std::move(done));
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
        batch->add(message, std::move(done));
        batch->settle();
    } else if (sink) {
        sink->send(std::move(message), std::move(done));
    }
}

}  // namespace bgshell::mcp
