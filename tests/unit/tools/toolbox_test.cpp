#include "tools/toolbox.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "unit/tools/fake_job_manager.hpp"
#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::JobManager;

namespace {

class HandTurnedClock final : public bgshell::platform::Clock {
  public:
    [[nodiscard]] bgshell::platform::Instant now() const override { return now_; }
    [[nodiscard]] bgshell::platform::WallTime wall() const override { return {}; }
    void advance(std::chrono::milliseconds by) { now_ += by; }

  private:
    bgshell::platform::Instant now_{};
};

struct Bench {
    explicit Bench(ToolSettings settings = {}) : toolbox{manager, clock, std::move(settings)} {
        FakeJobs::instance() = FakeJobs{};
    }

    CallResult call(const std::string& tool, const std::string& arguments) {
        CallResult result;
        boost::json::object values = boost::json::parse(arguments).as_object();
        boost::asio::co_spawn(io, toolbox.call(tool, std::move(values), context),
                              [&result](const std::exception_ptr& fault, CallResult answer) {
                                  if (fault) std::rethrow_exception(fault);
                                  result = std::move(answer);
                              });
        io.restart();
        io.run();
        return result;
    }

    static std::string text(const CallResult& result) {
        return std::string{result.content.at(0).at("text").as_string()};
    }

    boost::asio::io_context io;
    HandTurnedClock clock;
    bgshell::store::Store store{"/nonexistent", false};
    JobManager manager{io.get_executor(), store, {}, {}, clock};
    Toolbox toolbox;
    CallContext context{{"owner", ""}, client_profile("some client"), {}};
};

bgshell::jobs::StartedJob started_running() {
    bgshell::jobs::StartedJob started;
    started.job = running("k3f9x0ab", "", 2s);
    started.first_running = true;
    return started;
}

}  // namespace

TEST_CASE("toolbox: a call begins, works, gathers what is untold, and offers it") {
    Bench bench;
    FakeJobs& fake = FakeJobs::instance();
    fake.start = [](const bgshell::jobs::StartRequest& request) -> bgshell::jobs::StartOutcome {
        CHECK(request.command == "echo x");
        CHECK(request.wait.asked == 3s);
        CHECK(request.wait.ceiling == 50s);
        bgshell::jobs::StartedJob started;
        started.job = succeeded("k3f9x0ab", "", 200ms);
        printed(started.job, 2);
        started.view = whole("x\n");
        return started;
    };
    bgshell::jobs::NoticeItem own;
    own.notice.row = 1;
    own.job = succeeded("k3f9x0ab", "", 200ms);
    bgshell::jobs::NoticeItem other;
    other.notice.row = 2;
    other.job = succeeded("m7q2a7c3", "lint", 12100ms);
    fake.notices.items = {own, other};

    const CallResult result = bench.call("start", R"({"command":"echo x","wait_s":"3"})");
    CHECK(fake.calls == std::vector<std::string>{"begin some client", "start", "notices", "offer"});
    CHECK(Bench::text(result) ==
          "k3f9x0ab succeeded after 0.2 s\n"
          "also ended since you last looked:\n"
          "m7q2a7c3 \"lint\" succeeded after 12.1 s\n"
          "output (untrusted):\n"
          "x");
    CHECK(result.offer == 7);
    CHECK(fake.offered_rows == std::vector<std::int64_t>{1, 2});
    REQUIRE(fake.offered_looks.size() == 1);
    CHECK(fake.offered_looks[0].to == 2);
    CHECK(fake.offered_start == own.job.row.spec.id);
    REQUIRE(result.structured);
    CHECK(result.structured->begin()->key() == "summary");
    CHECK(result.structured->at("notices").as_array().size() == 2);
    CHECK(result.structured->at("output").at("text").as_string() == "x\n");
    CHECK(result.structured->at("summary").as_string() ==
          "k3f9x0ab succeeded after 0.2 s\n"
          "also ended since you last looked:\n"
          "m7q2a7c3 \"lint\" succeeded after 12.1 s");
}

TEST_CASE("toolbox: bad arguments reach no job, and still tell what is untold") {
    Bench bench;
    bgshell::jobs::NoticeItem other;
    other.job = succeeded("m7q2a7c3", "lint", 12100ms);
    FakeJobs::instance().notices.items = {other};
    const CallResult result = bench.call("start", R"({"command":"x","runtime_limit_s":"soon"})");
    CHECK(result.is_error);
    CHECK(Bench::text(result) ==
          "start: runtime_limit_s must be a number of seconds from 1 to 86400, got \"soon\". "
          "Nothing was "
          "started.\n"
          "also ended since you last looked:\n"
          "m7q2a7c3 \"lint\" succeeded after 12.1 s");
    CHECK(FakeJobs::instance().calls ==
          std::vector<std::string>{"begin some client", "notices", "offer"});
}

TEST_CASE("toolbox: errors of the jobs, and of the beginning") {
    Bench bench;
    FakeJobs::instance().output = [](const auto&) {
        return bgshell::jobs::Error{
            bgshell::jobs::ErrorKind::unknown_job,
            "no job \"k3f9x0aa\". Running: k3f9x0ab \"web\". Others: list {}."};
    };
    CallResult result = bench.call("output", R"({"id":"k3f9x0aa"})");
    CHECK(result.is_error);
    CHECK(Bench::text(result) ==
          "output: no job \"k3f9x0aa\". Running: k3f9x0ab \"web\". Others: list {}.");

    FakeJobs::instance().begin_error = bgshell::jobs::Error{bgshell::jobs::ErrorKind::unavailable,
                                                            "state directory /x: not ours."};
    result = bench.call("start", R"({"command":"x"})");
    CHECK(result.is_error);
    CHECK(Bench::text(result) == "start: state directory /x: not ours. Nothing was started.");
}

TEST_CASE("toolbox: a lowered number is the first fact") {
    Bench bench;
    FakeJobs::instance().start = [](const bgshell::jobs::StartRequest& request) {
        CHECK(request.runtime_limit == 24h);
        return bgshell::jobs::StartOutcome{started_running()};
    };
    const CallResult result = bench.call("start", R"({"command":"x","runtime_limit_s":1800000})");
    CHECK(Bench::text(result).find("\nruntime_limit_s 86400, not 1800000 (the ceiling)\npid ") !=
          std::string::npos);
}

TEST_CASE("toolbox: each kind of hint is given three times in a session") {
    Bench bench;
    FakeJobs::instance().start = [](const auto&) {
        return bgshell::jobs::StartOutcome{started_running()};
    };
    for (int i = 0; i < 5; ++i) {
        const std::string text = Bench::text(bench.call("start", R"({"command":"x"})"));
        CHECK((text.find("\nnext: ") != text.npos) == (i < 3));
    }
}

TEST_CASE("toolbox: structure by mode and client") {
    const auto sends = [](StructureMode mode, const std::string& client) {
        ToolSettings settings;
        settings.structured = mode;
        Bench bench{settings};
        bench.context.profile = client_profile(client);
        return bench.call("list", "{}").structured.has_value();
    };
    CHECK(sends(StructureMode::automatic, "some client"));
    CHECK_FALSE(sends(StructureMode::automatic, "claude-code"));
    CHECK(sends(StructureMode::on, "claude-code"));
    CHECK_FALSE(sends(StructureMode::off, "some client"));
}

TEST_CASE("toolbox: an output is shorter where structure is sent too") {
    Bench bench;
    std::uint32_t asked = 0;
    FakeJobs::instance().output = [&asked](const bgshell::jobs::OutputRequest& request) {
        asked = request.max_bytes;
        bgshell::jobs::OutputOutcome outcome;
        outcome.job = running("k3f9x0ab", "x", 1s);
        outcome.view = whole(std::string(request.max_bytes / 2, '"'));
        printed(outcome.job, outcome.view.text.size());
        return outcome;
    };
    const CallResult result = bench.call("output", R"({"id":"k3f9x0ab","max_bytes":32000})");
    CHECK(asked == 16000);
    CHECK(Bench::text(result).find(
              "\nmax_bytes 16000, not 32000 (the ceiling where structure is sent "
              "too)\n") != std::string::npos);
    CHECK(written_size(result) <= kResultBytes);
    REQUIRE(FakeJobs::instance().offered_looks.size() == 1);
    CHECK(FakeJobs::instance().offered_looks[0].to == 8000);

    bench.context.profile = client_profile("claude-code");
    bench.call("output", R"({"id":"k3f9x0ab","max_bytes":32000})");
    CHECK(asked == 32000);
}

TEST_CASE("toolbox: a peek moves no look") {
    Bench bench;
    FakeJobs::instance().output = [](const auto&) {
        bgshell::jobs::OutputOutcome outcome;
        outcome.job = running("k3f9x0ab", "x", 1s);
        outcome.view = whole("x\n");
        return outcome;
    };
    bench.call("output", R"({"id":"k3f9x0ab","tail_lines":5})");
    CHECK(FakeJobs::instance().offered_looks.empty());
}

TEST_CASE("toolbox: a wait that is cut lowers the ceiling of that client's later waits") {
    Bench bench;
    FakeJobs::instance().await = [&bench](const bgshell::jobs::AwaitRequest& request)
        -> bgshell::jobs::Result<bgshell::jobs::AwaitOutcome> {
        CHECK(request.wait.ceiling == 50s);
        CHECK(bench.context.progress() == "k3f9x0ab");
        bench.clock.advance(30s);
        throw std::runtime_error{"cancelled"};
    };
    CHECK_THROWS(bench.call("await", R"({"ids":"k3f9x0ab"})"));
    FakeJobs::instance().await = [](const bgshell::jobs::AwaitRequest& request) {
        CHECK(request.wait.asked == 45s);
        CHECK(request.wait.ceiling == 22500ms);
        return bgshell::jobs::AwaitOutcome{};
    };
    bench.call("await", "{}");
    CHECK_FALSE(bench.context.progress);
}

TEST_CASE("toolbox: what may be old is said to be") {
    Bench bench;
    FakeJobs::instance().doubt = "the registry is locked";
    CHECK(Bench::text(bench.call("list", "{}")).find("\nthe registry is locked") !=
          std::string::npos);
}

TEST_CASE("toolbox: delivery goes to the manager") {
    Bench bench;
    bench.toolbox.call_arrived({"owner", "talk"});
    bench.toolbox.written(3);
    bench.toolbox.lost(4);
    CHECK(FakeJobs::instance().calls ==
          std::vector<std::string>{"arrived owner/talk", "written 3", "lost 4"});
    CHECK(bench.toolbox.instructions().ends_with("soon after the session."));
    CHECK(bench.toolbox.definitions().size() == 6);
}

TEST_CASE("toolbox: a call cut off after its job has started is told to the manager as lost") {
    Bench bench;
    FakeJobs::instance().start = [](const bgshell::jobs::StartRequest&) {
        return bgshell::jobs::StartOutcome{started_running()};
    };
    FakeJobs::instance().notices_cut_off = true;
    CHECK_THROWS(bench.call("start", R"({"command":"make"})"));
    CHECK(FakeJobs::instance().offered_start == bgshell::keeper::JobId::parse("k3f9x0ab"));
    CHECK(FakeJobs::instance().calls.back() == "lost 7");
}
