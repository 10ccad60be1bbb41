#include "process/jobs/scratch_state.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "platform/unique_fd.hpp"

namespace bgshell::test {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using jobs::Result;
using platform::Milliseconds;
using std::chrono::steady_clock;

namespace {

Milliseconds seconds(double value) {
    return Milliseconds{static_cast<std::int64_t>(value * 1000)};
}

// A keeper holds its job's lock until nothing of the job lives.
bool anything_lives(const fs::path& jobs) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{jobs, error}) {
        const platform::UniqueFd lock{
            ::open((entry.path() / "lock").c_str(), O_RDONLY | O_CLOEXEC)};
        if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return true;
    }
    return false;
}

}  // namespace

ScratchState::~ScratchState() {
    const auto jobs = fs::path{state_path()} / "jobs";
    CHECK_MESSAGE(wait([&] { return !anything_lives(jobs); }, std::chrono::seconds{10}),
                  "something of a job was left behind");
}

std::string ScratchState::read(const std::string& name) const {
    std::ifstream stream{file(name)};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

void ScratchState::touch(const std::string& name) const {
    const std::ofstream made{file(name)};
    REQUIRE(made.good());
}

bool ScratchState::wait(const std::function<bool()>& condition, Milliseconds patience) {
    const auto deadline = steady_clock::now() + patience;
    while (!condition()) {
        if (steady_clock::now() >= deadline) return false;
        loop_.restart();
        loop_.run_one_for(Milliseconds{20});
    }
    return true;
}

void ScratchState::run(asio::awaitable<void> task) {
    bool done = false;
    std::exception_ptr failure;
    asio::co_spawn(loop_, std::move(task), [&](std::exception_ptr thrown) {
        failure = std::move(thrown);
        done = true;
    });
    REQUIRE(wait([&] { return done; }, std::chrono::seconds{60}));
    if (failure) std::rethrow_exception(failure);
}

jobs::Settings Session::fast_settings() {
    jobs::Settings settings;
    settings.login_path = false;
    settings.orphan_grace = Milliseconds{0};
    return settings;
}

std::vector<std::string> Session::default_environment() {
    return {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"};
}

Session::Session(ScratchState& state, jobs::Settings settings, std::vector<std::string> environment)
    : state_{state}, store_{state.state_path(), false} {
    fs::create_directories(state.file(""));
    environment.push_back("CLAUDE_PROJECT_DIR=" + state.file(""));
    jobs::Surroundings surroundings;
    surroundings.environment = std::move(environment);
    surroundings.working_directory = state.file("");
    surroundings.home = "/tmp";
    manager_ =
        std::make_unique<jobs::JobManager>(state.loop().get_executor(), store_, std::move(settings),
                                           std::move(surroundings), state.clock());
    manager_->on_failure([](const std::string& text) { FAIL_CHECK(text); });
    store_.on_failure([](const store::Error& error) { FAIL_CHECK(error.text()); });
    caller_.owner = manager_->owner();
}

Session::~Session() {
    close(false);
}

void Session::close(bool end_jobs) {
    if (!manager_) return;
    state_.run(manager_->close(end_jobs));
    manager_.reset();
}

jobs::StartRequest Session::command(std::string text, double wait_s) {
    jobs::StartRequest request;
    request.command = std::move(text);
    request.wait.asked = seconds(wait_s);
    return request;
}

// What an answer with a view and a match moves.
template <class Answer>
jobs::LookMove move_of(const Answer& answer) {
    jobs::LookMove move{answer.job.row.spec.id, answer.view ? answer.view->next : 0};
    if (answer.match) move.search = answer.match->searched;
    return move;
}

template <class T>
Result<T> Session::call(
    std::function<asio::awaitable<Result<T>>()> ask,
    std::function<void(const T&, std::vector<jobs::LookMove>&, std::optional<keeper::JobId>&)>
        offers) {
    manager_->call_arrived(caller_);
    const auto begun = state_.run(manager_->begin("test-client"));
    REQUIRE(begun.has_value());
    auto outcome = state_.run(ask());
    told_ = state_.run(manager_->notices(caller_));
    std::vector<std::int64_t> notices;
    for (const auto& item : told_.items) notices.push_back(item.notice.row);
    std::vector<jobs::LookMove> looks;
    std::optional<keeper::JobId> started;
    if (outcome) offers(*outcome, looks, started);
    last_offer_ = manager_->offer(caller_, std::move(notices), std::move(looks), started);
    if (!hold_) manager_->written(last_offer_);
    return outcome;
}

Result<jobs::StartOutcome> Session::try_start(jobs::StartRequest request) {
    return call<jobs::StartOutcome>(
        [&] { return manager_->start(caller_, request); },
        [](const jobs::StartOutcome& outcome, auto& looks, auto& started) {
            const auto* job = std::get_if<jobs::StartedJob>(&outcome);
            if (job == nullptr) return;
            started = job->job.row.spec.id;
            looks.push_back(move_of(*job));
        });
}

jobs::StartedJob Session::start(jobs::StartRequest request) {
    auto outcome = try_start(std::move(request));
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().text());
    REQUIRE(std::holds_alternative<jobs::StartedJob>(*outcome));
    return std::get<jobs::StartedJob>(std::move(*outcome));
}

Result<jobs::AwaitOutcome> Session::try_await(jobs::AwaitRequest request) {
    return call<jobs::AwaitOutcome>([&] { return manager_->await(caller_, request); },
                                    [](const jobs::AwaitOutcome& outcome, auto& looks, auto&) {
                                        for (const auto& job : outcome.jobs) {
                                            looks.push_back(move_of(job));
                                        }
                                    });
}

jobs::AwaitOutcome Session::await(std::vector<std::string> ids, double wait_s,
                                  jobs::AwaitMode mode) {
    jobs::AwaitRequest request;
    request.ids = std::move(ids);
    request.mode = mode;
    request.wait.asked = seconds(wait_s);
    auto outcome = try_await(std::move(request));
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().text());
    return std::move(*outcome);
}

jobs::OutputOutcome Session::output(const std::string& id) {
    jobs::OutputRequest request;
    request.id = id;
    auto outcome =
        call<jobs::OutputOutcome>([&] { return manager_->output(caller_, request); },
                                  [](const jobs::OutputOutcome& shown, auto& looks, auto&) {
                                      looks.push_back({shown.job.row.spec.id, shown.view.next});
                                  });
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().text());
    return std::move(*outcome);
}

Result<jobs::SendOutcome> Session::try_send(jobs::SendRequest request) {
    return call<jobs::SendOutcome>(
        [&] { return manager_->send(caller_, request); },
        [](const jobs::SendOutcome& sent, auto& looks, auto&) { looks.push_back(move_of(sent)); });
}

Result<jobs::CancelOutcome> Session::try_cancel(jobs::CancelRequest request) {
    return call<jobs::CancelOutcome>([&] { return manager_->cancel(caller_, request); },
                                     [](const jobs::CancelOutcome&, auto&, auto&) {});
}

jobs::CancelledJob Session::cancel(const std::string& id, double grace_s) {
    jobs::CancelRequest request;
    request.ids = {id};
    request.grace = seconds(grace_s);
    auto outcome = try_cancel(std::move(request));
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().text());
    REQUIRE(outcome->jobs.size() == 1);
    return std::move(outcome->jobs.front());
}

jobs::ListOutcome Session::list(jobs::ListRequest request) {
    auto outcome = call<jobs::ListOutcome>([&] { return manager_->list(caller_, request); },
                                           [](const jobs::ListOutcome&, auto&, auto&) {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().text());
    return std::move(*outcome);
}

std::vector<std::string> Session::told_ends() const {
    std::vector<std::string> ids;
    for (const auto& item : told_.items) {
        if (item.notice.kind == store::NoticeKind::ended) ids.push_back(item.notice.job.text());
    }
    return ids;
}

}  // namespace bgshell::test
