// Calls: the tools/call requests of one connection that are not answered yet. Ids are unique among
// them, not over time. Cancelling a call ends its waiting and its answer, never a job.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "mcp/era.hpp"
#include "mcp/progress.hpp"
#include "mcp/reply.hpp"
#include "mcp/server.hpp"
#include "platform/task_scope.hpp"

namespace bgshell::mcp {

struct CallOrder {
    std::string tool;  // one that exists
    boost::json::object arguments;
    Terms terms;
    jobs::Caller caller;
    boost::json::value progress_token;  // null: none was given
};

class Calls {
  public:
    static constexpr std::size_t kMostAtOnce = 256;

    // `server` outlives it.
    Calls(boost::asio::any_io_executor executor, const Server& server);
    // After `close`.
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    // Tells the tools that a call has arrived and starts it; `reply` is taken and answered by it.
    // Or an error, and nothing has happened: too many calls are open. The id is not that of an open
    // one.
    [[nodiscard]] std::optional<RpcError> start(CallOrder order, Reply& reply);
    // Gives the call up: no answer, no progress, and its id is free at once. The client no longer
    // wants the answer of a call that was answered lately: what it told is lost. An unknown id is
    // nothing.
    void cancel(const RequestId& id);
    // Gives up every call that waits for something to happen.
    void drop_waiting();
    // Sends the progress that is due at `now`; when the next is, if any call wants it.
    std::optional<platform::Instant> send_progress(platform::Instant now);

    // Whether this is the id of a call that has not been answered.
    [[nodiscard]] bool is_open(const RequestId& id) const { return by_id_.contains(id); }
    [[nodiscard]] std::size_t running() const noexcept { return calls_.size(); }
    // Returns when no call runs, or after `limit`.
    boost::asio::awaitable<void> idle(platform::Milliseconds limit);
    // Gives all calls up and joins them.
    boost::asio::awaitable<void> close();

  private:
    struct Call;
    boost::asio::awaitable<void> run(std::unique_ptr<Call> call);
    boost::asio::awaitable<void> tick();
    void answer(Call& call, tools::CallResult result);
    void give_up(Call& call);
    void lose_answer(const RequestId& id);
    void free_id(const Call& call);
    void ended(const Call& call);

    const Server& server_;
    std::list<Call*> calls_;  // each is owned by its task
    std::map<RequestId, Call*> by_id_;
    struct Answered {
        RequestId id;
        jobs::OfferId offer = 0;
    };
    std::deque<Answered> answered_;  // the last ones that offered something
    boost::asio::steady_timer idle_;
    boost::asio::steady_timer ticks_;
    bool ticking_ = false;
    platform::TaskScope scope_;
};

}  // namespace bgshell::mcp
