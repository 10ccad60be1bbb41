// key: the same start again is the same job.
#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using keeper::JobState;
using test::id_of;
using test::ScratchState;
using test::Session;

namespace {

jobs::StartRequest keyed(std::string command, double wait_s = 10) {
    auto request = Session::command(std::move(command), wait_s);
    request.key = "k1";
    return request;
}

}  // namespace

TEST_CASE("b61_the_same_key_runs_once_also_after_a_restart") {
    ScratchState state;
    std::string id;
    {
        Session session{state};
        const auto first = session.start(keyed("echo x >> n; echo out"));
        const auto second = session.start(keyed("echo x >> n; echo out"));
        id = id_of(first);
        CHECK_FALSE(first.reused);
        CHECK(second.reused);
        CHECK(id_of(second) == id);
        CHECK(second.job.row.state == JobState::succeeded);

        const auto other = session.try_start(keyed("echo y >> n"));
        REQUIRE_FALSE(other.has_value());
        CHECK(other.error().kind() == jobs::ErrorKind::bad_argument);
        CHECK(other.error().text() ==
              "key \"k1\" belongs to " + id + ", which has another command. Nothing was started.");
        auto limited = keyed("echo x >> n; echo out");
        limited.runtime_limit = std::chrono::milliseconds{5000};
        const auto more = session.try_start(limited);
        REQUIRE_FALSE(more.has_value());
        CHECK(more.error().text().find("other arguments") != std::string::npos);
    }
    Session later{state};
    const auto third = later.start(keyed("echo x >> n; echo out"));
    CHECK(third.reused);
    CHECK(id_of(third) == id);
    CHECK(state.read("n") == "x\n");
}

TEST_CASE("b61_the_same_key_runs_once_also_concurrently") {
    ScratchState state;
    Session session{state};
    session.list();
    std::vector<std::string> ids;
    int reused = 0;
    constexpr std::size_t kCalls = 4;
    for (std::size_t i = 0; i < kCalls; ++i) {
        auto task = session.manager().start(session.caller(), keyed("echo x >> n; sleep 0.3"));
        boost::asio::co_spawn(
            state.loop(), std::move(task),
            [&](std::exception_ptr failure, jobs::Result<jobs::StartOutcome> outcome) {
                REQUIRE_FALSE(failure);
                REQUIRE_MESSAGE(outcome.has_value(), outcome.error().text());
                const auto& job = std::get<jobs::StartedJob>(*outcome);
                ids.push_back(id_of(job));
                if (job.reused) ++reused;
                CHECK(job.job.row.state == JobState::succeeded);
            });
    }
    REQUIRE(state.wait([&] { return ids.size() == kCalls; }));
    for (const auto& id : ids) CHECK(id == ids.front());
    CHECK(reused == kCalls - 1);
    CHECK(state.read("n") == "x\n");
}

TEST_CASE("the same command in the same place is a fact, never a refusal") {
    ScratchState state;
    Session session{state};
    const auto first = id_of(session.start("sleep 30", 0));
    const auto second = session.start("sleep 30", 0);
    REQUIRE(second.same_command.has_value());
    CHECK(second.same_command->row.spec.id.text() == first);
    session.cancel(first);
    session.cancel(id_of(second));
}
