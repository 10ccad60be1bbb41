// JobManager: the domain's face. One per front end; everything a tool can ask is a member here.
//
// Runs on one loop thread. All members may suspend; a caller that is cancelled stops waiting, and
// never stops a job. What an answer tells is gathered in an *offer* (notices, looks, the answer of
// a start): `offer` closes it, then the transport says whether the answer was written.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/bell.hpp"
#include "jobs/caller.hpp"
#include "jobs/error.hpp"
#include "jobs/offers.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/requests.hpp"
#include "jobs/settings.hpp"
#include "store/owner_lock.hpp"
#include "store/store.hpp"

namespace bgshell::jobs {

struct FrontEnd;

class JobManager {
  public:
    JobManager(boost::asio::any_io_executor executor, store::Store& store, Settings settings,
               Surroundings surroundings, const platform::Clock& clock);
    ~JobManager();
    JobManager(const JobManager&) = delete;
    JobManager& operator=(const JobManager&) = delete;

    // Names the owner and fixes the scope, at the first tools/call; takes the owner's lock and
    // settles what earlier front ends left. Later calls do nothing. Touches nothing before. No
    // error where the registry can be read but not be written: all goes on but `start`, and each
    // call tries it again.
    boost::asio::awaitable<Result<void>> begin(std::string client);
    // A start is on its way: the keeper that it will need is made while it is read, and while
    // `begin` works. A promise of nothing; without it the first start is merely slower.
    void expect_start();
    // The owner's id, drawn at construction.
    [[nodiscard]] const std::string& owner() const noexcept;

    // Why what is told of jobs may be old, a fact for any answer; empty where it is not.
    [[nodiscard]] std::string doubt() const;

    // Makes a state directory that was removed meanwhile again, and says so.
    boost::asio::awaitable<Result<StartOutcome>> start(Caller caller, StartRequest request);
    boost::asio::awaitable<Result<AwaitOutcome>> await(Caller caller, AwaitRequest request);
    boost::asio::awaitable<Result<OutputOutcome>> output(Caller caller, OutputRequest request);
    boost::asio::awaitable<Result<SendOutcome>> send(Caller caller, SendRequest request);
    boost::asio::awaitable<Result<CancelOutcome>> cancel(Caller caller, CancelRequest request);
    boost::asio::awaitable<Result<ListOutcome>> list(Caller caller, ListRequest request);

    // ---- delivery. A tool calls these around its work, in this order.
    // A tools/call of `caller` has arrived: what was offered to it in answers wholly written is
    // told.
    void call_arrived(const Caller& caller);
    // What `caller` has not been told yet. Every item is offered by the answer that is being made.
    boost::asio::awaitable<NoticeBlock> notices(Caller caller);
    // Closes the answer: `notices` (NoticeItem::notice.row) and `looks` move when it is told. The
    // number goes back by `written` or `lost`, exactly once; `lost` may still follow `written`, for
    // a request that was cancelled after its answer. `started` is the job of a start whose answer
    // this is.
    using LookMove = jobs::LookMove;
    [[nodiscard]] OfferId offer(const Caller& caller, const std::vector<std::int64_t>& notices,
                                std::vector<LookMove> looks, std::optional<JobId> started);
    void written(OfferId offer);
    void lost(OfferId offer);

    // ---- events, for notifications that never count as told. Called on the loop.
    using EndHandler = std::function<void(const JobSnapshot&)>;
    void on_end(EndHandler handler);
    // What a task behind the answers threw: its what(), for the log. Set before `begin`.
    void on_failure(std::function<void(const std::string&)> handler);

    // One line on the jobs that a waiting call waits for, for progress: "k3f9x0ab 42 s, 9120
    // bytes". From memory; without ids all that run.
    [[nodiscard]] std::string progress(const std::vector<std::string>& ids) const;

    // Ends the front end's part: whatever runs here is cancelled and joined, the connections to
    // keepers are closed, which starts their grace. With `end_jobs` (pid 1 of a container) the jobs
    // are ended and waited for before. Calls that are still open must be cancelled by their owner.
    // Must be joined before destruction.
    boost::asio::awaitable<void> close(bool end_jobs);

  private:
    boost::asio::awaitable<Result<void>> begin(std::string client, store::Patience patience);
    boost::asio::awaitable<Result<void>> take_up(std::string client, store::Patience patience);
    // Begins again where the state directory was removed. Whether it was.
    boost::asio::awaitable<Result<bool>> begin_again();

    std::unique_ptr<FrontEnd> front_;
    std::optional<store::OwnerLock> lock_;
    enum class Begun : std::uint8_t { no, now, yes } begun_ = Begun::no;
    Bell begun_changed_;
};

}  // namespace bgshell::jobs
