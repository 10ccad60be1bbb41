// ScratchState and Session: front ends on a state directory of their own, for one test. Everything
// is real: keepers, shells, the registry.
#pragma once

#include <doctest/doctest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/job_manager.hpp"
#include "platform/clock.hpp"
#include "store/store.hpp"
#include "support/temporary_directory.hpp"

namespace bgshell::test {

class ScratchState {
  public:
    ScratchState() : state_path_{directory_.file("state")} {}
    // With the state directory elsewhere.
    explicit ScratchState(std::string state_path) : state_path_{std::move(state_path)} {}
    // Fails the test if something of a job lives ten seconds after the last front end has gone.
    ~ScratchState();
    ScratchState(const ScratchState&) = delete;
    ScratchState& operator=(const ScratchState&) = delete;

    [[nodiscard]] boost::asio::io_context& loop() { return loop_; }
    [[nodiscard]] const platform::Clock& clock() const { return clock_; }
    [[nodiscard]] const std::string& state_path() const { return state_path_; }
    // Of a file in the project directory, where jobs run.
    [[nodiscard]] std::string file(const std::string& name) const {
        return directory_.file("project/" + name);
    }
    [[nodiscard]] std::string read(const std::string& name) const;
    // Makes a file in the project directory, for jobs that wait for one.
    void touch(const std::string& name) const;

    // Runs the loop until the condition holds; false after the time.
    bool wait(const std::function<bool()>& condition,
              std::chrono::milliseconds patience = std::chrono::seconds{20});
    // Runs a coroutine to its end.
    template <class T>
    T run(boost::asio::awaitable<T> task) {
        std::optional<T> result;
        std::exception_ptr failure;
        boost::asio::co_spawn(loop_, std::move(task), [&](std::exception_ptr thrown, T value) {
            failure = std::move(thrown);
            result = std::move(value);
        });
        REQUIRE(wait([&] { return result.has_value(); }, std::chrono::seconds{60}));
        if (failure) std::rethrow_exception(failure);
        return std::move(*result);
    }
    void run(boost::asio::awaitable<void> task);

  private:
    boost::asio::io_context loop_;
    platform::SystemClock clock_;
    TemporaryDirectory directory_;
    std::string state_path_;
};

// One front end, and one caller of it, who calls as a client does: each call tells that the answer
// before was read.
class Session {
  public:
    explicit Session(ScratchState& state, jobs::Settings settings = fast_settings(),
                     std::vector<std::string> environment = default_environment());
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // No login shell is asked, and orphans are ended at once.
    [[nodiscard]] static jobs::Settings fast_settings();
    [[nodiscard]] static std::vector<std::string> default_environment();

    [[nodiscard]] jobs::JobManager& manager() { return *manager_; }
    [[nodiscard]] jobs::Caller caller() const { return caller_; }
    // Another conversation of the same client.
    void talk_as(std::string conversation) { caller_.conversation = std::move(conversation); }
    void close(bool end_jobs = false);

    [[nodiscard]] static jobs::StartRequest command(std::string text, double wait_s = 10);

    // Whole calls: arrived, begun, asked, notices taken, offered, written. What they tell is kept
    // in `told` until the next call; the end and the looks of the answer are offered with it.
    jobs::Result<jobs::StartOutcome> try_start(jobs::StartRequest request);
    jobs::StartedJob start(jobs::StartRequest request);
    jobs::StartedJob start(std::string text, double wait_s = 10) {
        return start(command(std::move(text), wait_s));
    }
    jobs::Result<jobs::AwaitOutcome> try_await(jobs::AwaitRequest request);
    jobs::AwaitOutcome await(std::vector<std::string> ids, double wait_s = 15,
                             jobs::AwaitMode mode = jobs::AwaitMode::any);
    jobs::OutputOutcome output(const std::string& id);
    jobs::Result<jobs::SendOutcome> try_send(jobs::SendRequest request);
    jobs::Result<jobs::CancelOutcome> try_cancel(jobs::CancelRequest request);
    jobs::CancelledJob cancel(const std::string& id, double grace_s = 5);
    jobs::ListOutcome list(jobs::ListRequest request = {});

    // The notices of the last answer.
    [[nodiscard]] const jobs::NoticeBlock& told() const { return told_; }
    [[nodiscard]] std::vector<std::string> told_ends() const;
    // The last answer never arrived.
    void lose_last_answer() { manager_->lost(last_offer_); }
    // The registry will fail, as it should; before the first call.
    void expect_failures() {
        store_.on_failure([](const store::Error&) {});
    }
    // From now on answers are made but neither written nor lost.
    void hold_answers(bool hold) { hold_ = hold; }

  private:
    template <class T>
    jobs::Result<T> call(
        std::function<boost::asio::awaitable<jobs::Result<T>>()> ask,
        std::function<void(const T&, std::vector<jobs::LookMove>&, std::optional<keeper::JobId>&)>
            offers);

    ScratchState& state_;
    store::Store store_;
    std::unique_ptr<jobs::JobManager> manager_;
    jobs::Caller caller_;
    jobs::NoticeBlock told_;
    jobs::OfferId last_offer_ = 0;
    bool hold_ = false;
};

// The id of what was started.
[[nodiscard]] inline std::string id_of(const jobs::StartedJob& started) {
    return started.job.row.spec.id.text();
}

}  // namespace bgshell::test
