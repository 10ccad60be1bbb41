#include "mcp/connection.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <type_traits>
#include <utility>

#include "mcp/caller.hpp"
#include "mcp/shapes.hpp"
#include "text/quote.hpp"

namespace bgshell::mcp {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr std::size_t kMostInBatch = 100;
constexpr std::chrono::milliseconds kBurst{200};

void refuse(const std::optional<RequestId>& id, const RpcError& error,
            const std::shared_ptr<MessageSink>& replies) {
    replies->send(write_error(id, error), {});
}

RpcError unknown_method(const std::string& name) {
    return {ErrorCode::method_not_found, "There is no method " + text::quote(name) + " here."};
}

bool is_modern(const SingleMessage& message) {
    const auto* const request = std::get_if<Request>(&message);
    return request != nullptr && has_envelope(request->params);
}

bool has_tool(const tools::ToolSet& tools, const std::string& name) {
    for (const auto& tool : tools.definitions()) {
        if (tool.name == name) return true;
    }
    return false;
}

RpcError unknown_tool(const tools::ToolSet& tools, const std::string& name) {
    std::string known;
    for (const auto& tool : tools.definitions()) known += (known.empty() ? "" : ", ") + tool.name;
    return {ErrorCode::invalid_params,
            "There is no tool " + text::quote(name) + ", only: " + known + "."};
}

// null: none that can be echoed.
json::value progress_token(const json::object& params) {
    const auto* const given = params.if_contains("_meta");
    const auto* const meta = given == nullptr ? nullptr : given->if_object();
    const auto* const token = meta == nullptr ? nullptr : meta->if_contains("progressToken");
    return token != nullptr && is_wire_id(*token) ? *token : json::value{};
}

// Why a batch is not taken as a whole.
std::optional<RpcError> refusal(const Batch& batch, bool allowed) {
    const auto refuse_with = [](std::string text) {
        return RpcError{ErrorCode::invalid_request, std::move(text)};
    };
    if (!allowed) return refuse_with("Batches are part of revision 2025-03-26 only.");
    if (batch.messages.empty()) return refuse_with("A batch has at least one message.");
    if (batch.messages.size() > kMostInBatch) {
        return refuse_with("A batch has at most " + std::to_string(kMostInBatch) + " messages.");
    }
    for (const auto& message : batch.messages) {
        if (is_modern(message)) return refuse_with("A request with an envelope stands alone.");
    }
    return std::nullopt;
}

}  // namespace

Connection::Connection(asio::any_io_executor executor, const Server& server, std::string owner,
                       std::shared_ptr<MessageSink> standing)
    : server_{server},
      owner_{std::move(owner)},
      standing_{std::move(standing)},
      burst_end_{executor},
      calls_{executor, server},
      scope_{executor,
             [&server](const std::exception_ptr&) { server.report("a log message was lost"); }} {}

Connection::~Connection() = default;

void Connection::receive(std::string_view message, const std::shared_ptr<MessageSink>& replies) {
    Message read = read_message(message);
    std::visit(
        [&](auto each) {
            if constexpr (std::is_same_v<decltype(each), Batch>) {
                take(std::move(each), replies);
            } else {
                take(SingleMessage{std::move(each)}, replies);
            }
        },
        std::move(read));
}

void Connection::take(SingleMessage message, const std::shared_ptr<MessageSink>& replies) {
    if (auto* const request = std::get_if<Request>(&message)) {
        Reply reply{request->id, replies};
        serve(std::move(*request), std::move(reply));
    } else if (const auto* const notification = std::get_if<Notification>(&message)) {
        take(*notification);
    } else if (const auto* const bad = std::get_if<BadMessage>(&message)) {
        refuse(bad->id, bad->error, replies);
    }
    // A Response: nothing was asked, so nobody waits for it.
}

void Connection::take(Batch batch, const std::shared_ptr<MessageSink>& replies) {
    const bool allowed = session_ && facts(session_->terms.revision).batches;
    if (const auto error = refusal(batch, allowed)) return refuse({}, *error, replies);
    const auto array = std::make_shared<BatchReply>(replies, batch.messages.size());
    array->expect();  // so that it does not go out before the last message is read
    for (auto& message : batch.messages) {
        if (auto* const request = std::get_if<Request>(&message)) {
            Reply reply{request->id, array};
            if (find_method(request->method) == Method::initialize) {
                reply.error({ErrorCode::invalid_request, "initialize may not be in a batch."});
            } else {
                serve(std::move(*request), std::move(reply));
            }
        } else if (const auto* const notification = std::get_if<Notification>(&message)) {
            take(*notification);
        } else if (const auto* const bad = std::get_if<BadMessage>(&message)) {
            array->add(bad->id, write_error(bad->id, bad->error), {});
        }
    }
    array->settle();
}

// The fence: a request that throws is answered, and nothing else suffers.
void Connection::serve(Request request, Reply reply) {
    try {
        const Answer given = answer(request, reply);
        if (const auto* const result = std::get_if<json::object>(&given)) {
            reply.result(*result);
        } else if (const auto* const error = std::get_if<RpcError>(&given)) {
            reply.error(*error);
        }
    } catch (const std::exception& failure) {
        server_.report(request.method + " failed: " + failure.what());
        if (reply.open())
            reply.error({ErrorCode::internal_error, "The request failed inside the server."});
    }
}

void Connection::take(const Notification& notification) {
    const auto kind = find_notification(notification.method);
    if (kind != NotificationKind::cancelled) return;
    const auto* const value = notification.params.if_contains("requestId");
    if (value == nullptr) return;
    if (const auto id = RequestId::from(*value)) calls_.cancel(*id);
}

Connection::Answer Connection::answer(Request& request, Reply& reply) {
    if (calls_.is_open(request.id)) {
        return RpcError{ErrorCode::invalid_request,
                        "The id is that of a request that has not been answered yet."};
    }
    const auto method = find_method(request.method);
    const Treatment treatment = treat(method, request.params, session_.has_value());
    if (const auto* const error = std::get_if<RpcError>(&treatment)) return *error;
    if (std::holds_alternative<HandshakeRequest>(treatment)) return initialize(request);
    if (std::holds_alternative<EarlyPing>(treatment)) return json::object{};
    const auto* const modern = std::get_if<ModernRequest>(&treatment);
    const Terms& terms = modern != nullptr ? modern->terms : session_->terms;
    if (!method || !exists(*method, facts(terms.revision).modern)) {
        return unknown_method(request.method);
    }
    return answer(*method, terms, request, reply);
}

Connection::Answer Connection::answer(Method method, const Terms& terms, Request& request,
                                      Reply& reply) {
    switch (method) {
        case Method::initialize:
            return initialize(request);
        case Method::discover:
            return discover_result(server_, terms.revision);
        case Method::ping:
            return json::object{};
        case Method::set_level:
            return set_level(request);
        case Method::tools_list:
            return list_tools(terms, request);
        case Method::tools_call:
            return call_tool(terms, request, reply);
    }
    return unknown_method(request.method);
}

Connection::Answer Connection::initialize(const Request& request) {
    auto read = read_handshake(request.params);
    if (const auto* const error = std::get_if<RpcError>(&read)) return *error;
    session_ = Session{.terms = std::get<Terms>(std::move(read))};
    return initialize_result(server_, session_->terms.revision);
}

Connection::Answer Connection::set_level(const Request& request) {
    const auto* const value = request.params.if_contains("level");
    const auto* const name = value == nullptr ? nullptr : value->if_string();
    const auto level = name == nullptr ? std::nullopt : find_log_level(std::string_view{*name});
    if (!level) {
        return RpcError{
            ErrorCode::invalid_params,
            "params.level must be one of debug, info, notice, warning, error, critical, "
            "alert, emergency."};
    }
    session_->log_level = *level;
    return json::object{};
}

Connection::Answer Connection::list_tools(const Terms& terms, const Request& request) const {
    // All tools are on the first page, whose cursor is none, or "" for clients that always send
    // one.
    const auto* const cursor = request.params.if_contains("cursor");
    if (cursor != nullptr && !cursor->is_null() && *cursor != "") {
        return RpcError{ErrorCode::invalid_params, "params.cursor is none that was given out."};
    }
    return tools_list_result(server_, terms.revision);
}

Connection::Answer Connection::call_tool(const Terms& terms, Request& request, Reply& reply) {
    const auto* const name = request.params.if_contains("name");
    if (name == nullptr || !name->is_string()) {
        return RpcError{ErrorCode::invalid_params, "params.name must be a string."};
    }
    CallOrder order;
    order.tool = std::string_view{name->get_string()};
    if (!has_tool(server_.tools, order.tool)) return unknown_tool(server_.tools, order.tool);
    if (auto* const given = request.params.if_contains("arguments");
        given != nullptr && !given->is_null()) {
        if (!given->is_object()) {
            return RpcError{ErrorCode::invalid_params, "params.arguments must be an object."};
        }
        order.arguments = std::move(given->get_object());
    }
    order.terms = terms;
    order.caller = caller_of(owner_, request.params);
    order.progress_token = progress_token(request.params);
    if (const auto error = calls_.start(std::move(order), reply)) return *error;
    return Later{};
}

asio::awaitable<void> Connection::send_burst() {
    burst_end_.expires_after(kBurst);
    co_await burst_end_.async_wait(asio::use_awaitable);
    standing_->send(write_notification("notifications/message", burst_.take()), {});
}

void Connection::announce(LogLevel level, const std::string& line) {
    if (!standing_ || !session_ || level < session_->log_level) return;
    if (burst_.add(level, line)) scope_.spawn(send_burst());
}

asio::awaitable<void> Connection::finish(platform::Milliseconds limit) {
    calls_.drop_waiting();
    co_await calls_.idle(limit);
}

asio::awaitable<void> Connection::close() {
    co_await calls_.close();
    co_await scope_.close();
}

}  // namespace bgshell::mcp
