#include "jobs/log_views.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <fstream>
#include <string>

#include "unit/store/samples.hpp"

namespace bgshell::jobs::test {
namespace {

namespace asio = boost::asio;

class StoppedClock final : public platform::Clock {
  public:
    [[nodiscard]] platform::Instant now() const override {
        return platform::Instant{std::chrono::hours{1}};
    }
    [[nodiscard]] platform::WallTime wall() const override { return store::test::at(100'000); }
};

struct LogViewsFixture {
    store::test::ScratchDirectory scratch;
    store::StateDirectory state =
        store::test::value(store::StateDirectory::open(scratch / "state", false));
    store::Store store{scratch / "state", false};
    StoppedClock clock;
    asio::io_context loop;
    FrontEnd front{loop.get_executor(), store, Settings{}, Surroundings{}, clock};
    const Caller caller{front.owner, {}};

    // A job of ours that printed this; what the record says of it is left to the test.
    std::shared_ptr<Job> job(const std::string& output, keeper::JobState ended,
                             std::optional<std::uint64_t> recorded) {
        const auto directory = store::test::value(store::JobDirectory::create(state, "true"));
        std::ofstream{state.job_path(directory.id()) + "/log"} << output;
        store::JobRow row;
        row.spec = store::test::sample_spec(front.owner);
        row.spec.id = directory.id();
        row.state = ended;
        if (recorded) {
            row.exit = store::test::sample_exit(directory.id());
            row.exit->bytes_produced = row.exit->bytes_stored = *recorded;
        }
        return std::make_shared<Job>(std::move(row), clock);
    }
    template <class T>
    T run(asio::awaitable<T> task) {
        std::optional<T> result;
        asio::co_spawn(loop, std::move(task), [&](const std::exception_ptr& failure, T value) {
            CHECK(failure == nullptr);
            result = std::move(value);
        });
        loop.restart();
        loop.run();
        return std::move(result.value());
    }
    void run(asio::awaitable<void> task) {
        asio::co_spawn(loop, std::move(task),
                       [](const std::exception_ptr& failure) { CHECK(failure == nullptr); });
        loop.restart();
        loop.run();
    }
};

using keeper::JobState;
using store::Range;

TEST_CASE_FIXTURE(LogViewsFixture, "of a lost job the log tells how much there is") {
    const auto lost = job("one\ntwo\n", JobState::lost, std::nullopt);
    const auto told = job("one\n", JobState::succeeded, 4);
    run(refresh_levels(front, {lost, told}));
    CHECK(lost->level().produced() == 8);
    CHECK(lost->level().stored() == 8);
    CHECK(told->level().stored() == 4);
}

TEST_CASE_FIXTURE(LogViewsFixture, "a view is measured against what the record says") {
    const auto cut = job("one\n", JobState::succeeded, 100);
    const auto view = run(view_since_look(front, caller, cut, kViewBytes));
    REQUIRE(view.has_value());
    CHECK(view->text == "one\n");
    CHECK(view->missing == Range{4, 100});
    OutputRequest request;
    request.grep = "one";
    const auto found = run(view_as_asked(front, caller, cut, request));
    REQUIRE(found.has_value());
    CHECK(found->matches_total == 1);
    CHECK(found->missing == Range{4, 100});
    CHECK(run(last_line(front, cut)) == "one");
}

TEST_CASE_FIXTURE(LogViewsFixture,
                  "lines are counted where they can be, else not said to be none") {
    const auto some = job("one\ntwo\nthr", JobState::succeeded, 11);
    const std::vector<LineQuestion> questions{
        {some->id(), {0, 11}}, {keeper::JobId::random(), {0, 11}}, {some->id(), {4, 11}}};
    CHECK(run(count_lines(front, questions)) == LineCounts{2, std::nullopt, 1});
}

TEST_CASE_FIXTURE(LogViewsFixture, "a pattern that is none is refused before anything is read") {
    const auto some = job("one\n", JobState::succeeded, 4);
    OutputRequest request;
    request.grep = "";
    const auto refused = run(view_as_asked(front, caller, some, request));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind() == ErrorKind::bad_argument);
}

}  // namespace
}  // namespace bgshell::jobs::test
