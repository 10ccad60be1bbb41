#include "mcp/calls.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "mcp/shapes.hpp"
#include "platform/exception_text.hpp"
#include "tools/client_profile.hpp"

namespace bgshell::mcp {

namespace asio = boost::asio;

struct Calls::Call {
    Call(Calls& owner, CallOrder given, Reply answer_to, platform::Instant now)
        : calls{owner}, order{std::move(given)}, reply{std::move(answer_to)} {
        const RevisionFacts& known = facts(order.terms.revision);
        context.caller = order.caller;
        context.shared_by = reply.shared_by();
        context.profile = tools::client_profile(order.terms.client.name);
        context.profile.show_structure &= known.structured_content;
        if (!order.progress_token.is_null()) {
            progress.emplace(std::move(order.progress_token), known.progress_message, now);
        }
        place = calls.calls_.insert(calls.calls_.end(), this);
        calls.by_id_.emplace(reply.id(), this);
    }
    ~Call() { calls.ended(*this); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // A tool says what it waits for by offering progress.
    [[nodiscard]] bool waiting() const { return !given_up && context.progress != nullptr; }

    Calls& calls;
    CallOrder order;
    Reply reply;
    tools::CallContext context;
    std::optional<Progress> progress;
    std::list<Call*>::iterator place;
    platform::TaskScope::TaskId task = 0;
    bool given_up = false;
};

namespace {

// Who gives up an answer has just met it; what an older one told is settled by later calls.
constexpr std::size_t kAnsweredKept = 32;

}  // namespace

Calls::Calls(asio::any_io_executor executor, const Server& server)
    : server_{server},
      idle_{executor},
      ticks_{executor},
      scope_{executor, [&server](std::exception_ptr failure) {
                 server.report("a call failed: " + platform::exception_text(failure));
             }} {}

Calls::~Calls() = default;

std::optional<RpcError> Calls::start(CallOrder order, Reply& reply) {
    if (calls_.size() >= kMostAtOnce) {
        return RpcError{ErrorCode::internal_error, "Too many calls are open: at most " +
                                                       std::to_string(kMostAtOnce) +
                                                       " at once. Wait for one to end."};
    }
    server_.tools.call_arrived(order.caller);
    auto call =
        std::make_unique<Call>(*this, std::move(order), std::move(reply), server_.clock.now());
    Call& started = *call;
    started.task = scope_.spawn(run(std::move(call)));
    if (started.progress && !ticking_) {
        ticking_ = true;
        scope_.spawn(tick());
    }
    return std::nullopt;
}

asio::awaitable<void> Calls::run(std::unique_ptr<Call> call) {
    std::string tool = std::move(call->order.tool);
    boost::json::object arguments = std::move(call->order.arguments);
    tools::CallResult result;
    std::exception_ptr failure;
    try {
        result = co_await server_.tools.call(std::move(tool), std::move(arguments), call->context);
    } catch (...) {
        failure = std::current_exception();
    }
    if (call->given_up) {
        if (result.offer != 0) server_.tools.lost(result.offer);
        co_return;
    }
    if (!failure) {
        answer(*call, std::move(result));
        co_return;
    }
    free_id(*call);
    server_.report("a call failed: " + platform::exception_text(failure));
    call->reply.error({ErrorCode::internal_error, "The call failed inside the server."});
}

void Calls::answer(Call& call, tools::CallResult result) {
    const jobs::OfferId offer = result.offer;
    std::function<void(bool)> done;
    if (offer != 0) {
        if (answered_.size() == kAnsweredKept) answered_.pop_front();
        answered_.push_back({call.reply.id(), offer});
        done = [&tools = server_.tools, offer](bool written) {
            written ? tools.written(offer) : tools.lost(offer);
        };
    }
    free_id(call);
    call.reply.result(tool_result(std::move(result), server_, call.order.terms.revision),
                      std::move(done));
}

void Calls::cancel(const RequestId& id) {
    const auto entry = by_id_.find(id);
    if (entry == by_id_.end()) return lose_answer(id);
    give_up(*entry->second);
}

void Calls::lose_answer(const RequestId& id) {
    const auto is_it = [&id](const Answered& answer) { return answer.id == id; };
    const auto last = std::find_if(answered_.rbegin(), answered_.rend(), is_it);
    if (last == answered_.rend()) return;
    server_.tools.lost(last->offer);
    std::erase_if(answered_, is_it);
}

void Calls::give_up(Call& call) {
    if (call.given_up) return;
    call.given_up = true;
    free_id(call);
    scope_.cancel(call.task);
}

void Calls::drop_waiting() {
    for (auto next = calls_.begin(); next != calls_.end();) {
        Call& call = **next++;
        if (call.waiting()) give_up(call);
    }
}

std::optional<platform::Instant> Calls::send_progress(platform::Instant now) {
    std::optional<platform::Instant> next;
    for (Call* const call : calls_) {
        if (!call->progress || call->given_up || !call->reply.open()) continue;
        if (call->progress->due() <= now) {
            const auto& line = call->context.progress;
            call->reply.notify("notifications/progress",
                               call->progress->next(now, line ? line() : std::string{}));
        }
        next = std::min(next.value_or(call->progress->due()), call->progress->due());
    }
    return next;
}

// One timer for all calls, left armed when they end: a call that gives a token and is answered at
// once costs no timer.
asio::awaitable<void> Calls::tick() {
    while (const auto next = send_progress(server_.clock.now())) {
        ticks_.expires_after(*next - server_.clock.now());
        co_await ticks_.async_wait(asio::use_awaitable);
    }
    ticking_ = false;
}

void Calls::free_id(const Call& call) {
    const auto entry = by_id_.find(call.reply.id());
    if (entry != by_id_.end() && entry->second == &call) by_id_.erase(entry);
}

void Calls::ended(const Call& call) {
    free_id(call);
    calls_.erase(call.place);
    if (calls_.empty()) idle_.cancel();
}

asio::awaitable<void> Calls::idle(platform::Milliseconds limit) {
    idle_.expires_after(limit);
    while (!calls_.empty() && idle_.expiry() > asio::steady_timer::clock_type::now()) {
        const auto [ignored] = co_await idle_.async_wait(asio::as_tuple(asio::use_awaitable));
        static_cast<void>(ignored);  // by `ended`, or the time is over
    }
}

asio::awaitable<void> Calls::close() {
    for (auto next = calls_.begin(); next != calls_.end();) give_up(**next++);
    co_await scope_.close();
}

}  // namespace bgshell::mcp
