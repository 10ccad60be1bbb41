#include "unit/tools/fake_job_manager.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "jobs/front_end.hpp"

namespace bgshell::tools::samples {

FakeJobs& FakeJobs::instance() {
    static FakeJobs jobs;
    return jobs;
}

}  // namespace bgshell::tools::samples

namespace bgshell::jobs {

using boost::asio::awaitable;
using tools::samples::FakeJobs;

JobManager::JobManager(boost::asio::any_io_executor, store::Store&, Settings, Surroundings,
                       const platform::Clock&) {}
JobManager::~JobManager() = default;

awaitable<Result<void>> JobManager::begin(std::string client) {
    FakeJobs& fake = FakeJobs::instance();
    fake.calls.push_back("begin " + client);
    if (fake.begin_error) co_return *fake.begin_error;
    co_return Result<void>{};
}

void JobManager::expect_start() {}

std::string JobManager::doubt() const {
    return FakeJobs::instance().doubt;
}

awaitable<Result<StartOutcome>> JobManager::start(Caller, StartRequest request) {
    FakeJobs::instance().calls.emplace_back("start");
    co_return FakeJobs::instance().start(request);
}

awaitable<Result<AwaitOutcome>> JobManager::await(Caller, AwaitRequest request) {
    FakeJobs::instance().calls.emplace_back("await");
    co_return FakeJobs::instance().await(request);
}

awaitable<Result<OutputOutcome>> JobManager::output(Caller, OutputRequest request) {
    FakeJobs::instance().calls.emplace_back("output");
    co_return FakeJobs::instance().output(request);
}

awaitable<Result<SendOutcome>> JobManager::send(Caller, SendRequest) {
    co_return SendOutcome{};
}

awaitable<Result<CancelOutcome>> JobManager::cancel(Caller, CancelRequest) {
    co_return CancelOutcome{};
}

awaitable<Result<ListOutcome>> JobManager::list(Caller, ListRequest) {
    FakeJobs::instance().calls.emplace_back("list");
    co_return ListOutcome{};
}

void JobManager::call_arrived(const Caller& caller) {
    FakeJobs::instance().calls.push_back("arrived " + caller.key());
}

awaitable<NoticeBlock> JobManager::notices(Caller) {
    FakeJobs::instance().calls.emplace_back("notices");
    if (FakeJobs::instance().notices_cut_off) {
        throw boost::system::system_error{boost::asio::error::operation_aborted};
    }
    co_return FakeJobs::instance().notices;
}

OfferId JobManager::offer(const Caller&, const std::vector<std::int64_t>& notices,
                          std::vector<LookMove> looks, std::optional<JobId> started) {
    FakeJobs& fake = FakeJobs::instance();
    fake.calls.emplace_back("offer");
    fake.offered_rows = std::move(notices);
    fake.offered_looks = std::move(looks);
    fake.offered_start = std::move(started);
    return 7;
}

void JobManager::written(OfferId offer) {
    FakeJobs::instance().calls.push_back("written " + std::to_string(offer));
}

void JobManager::lost(OfferId offer) {
    FakeJobs::instance().calls.push_back("lost " + std::to_string(offer));
}

std::string JobManager::progress(const std::vector<std::string>& ids) const {
    return ids.empty() ? "all" : ids.front();
}

}  // namespace bgshell::jobs
