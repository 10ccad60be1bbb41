// Several front ends on one state directory: what they see of each other's jobs, and what becomes
// of the jobs of one that has gone.
#include <doctest/doctest.h>

#include <filesystem>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using keeper::JobState;
using std::chrono::milliseconds;
using test::id_of;
using test::ScratchState;
using test::Session;

TEST_CASE("a job of another front end is listed, read and awaited, not touched") {
    ScratchState state;
    Session owner{state};
    Session other{state};
    const auto id =
        id_of(owner.start("echo one; while [ ! -e go ]; do sleep 0.05; done; exit 5", 0));
    REQUIRE(state.wait([&] { return other.list().jobs.at(0).bytes_stored == 4; }));
    const auto listing = other.list();
    CHECK_FALSE(listing.jobs[0].earlier_session);  // it lives
    CHECK_FALSE(listing.jobs[0].own);
    CHECK(listing.jobs[0].unread_lines == 1);
    CHECK(listing.slots_used == 0);
    CHECK(other.output(id).view.text == "one\n");

    jobs::CancelRequest cancel;
    cancel.ids = {id};
    const auto refused = other.try_cancel(cancel);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind() == jobs::ErrorKind::not_permitted);

    state.touch("go");
    const auto answer = other.await({id}, 10);
    REQUIRE(answer.jobs.size() == 1);
    CHECK(answer.jobs[0].job.row.state == JobState::failed);
    CHECK(answer.jobs[0].job.row.exit->exit_code == 5);
    CHECK(other.told().items.empty());
    owner.list();
    CHECK(owner.told_ends() == std::vector<std::string>{id});
}

TEST_CASE("the jobs of a front end that has gone end after the grace") {
    ScratchState state;
    Session watcher{state};
    watcher.list();
    std::string id;
    {
        auto settings = Session::fast_settings();
        settings.orphan_grace = milliseconds{300};
        Session gone{state, settings};
        id = id_of(gone.start("sleep 300", 0));
        CHECK(watcher.list().running_total == 1);
    }
    const auto answer = watcher.await({id}, 10);
    REQUIRE(answer.jobs.size() == 1);
    const auto& row = answer.jobs[0].job.row;
    CHECK(row.state == JobState::cancelled);
    REQUIRE(row.exit.has_value());
    CHECK(row.exit->reason == "session_end");
}

TEST_CASE("list and output learn of an end that nobody told") {
    ScratchState state;
    Session watcher{state};
    std::string listed;
    std::string read;
    {
        auto settings = Session::fast_settings();
        settings.orphan_grace = milliseconds{300};
        Session gone{state, settings};
        listed = id_of(gone.start("sleep 300", 0));
        read = id_of(gone.start("sleep 301", 0));
    }
    const auto is_recorded = [&](const std::string& id) {
        return std::filesystem::exists(state.state_path() + "/jobs/" + id + "/exit.json");
    };
    REQUIRE(state.wait([&] { return is_recorded(listed) && is_recorded(read); }));
    CHECK(watcher.output(read).job.row.state == JobState::cancelled);
    const auto listing = watcher.list();
    CHECK(listing.running_total == 0);
    CHECK(listing.ended_total == 2);
}

TEST_CASE("a job whose owner is dead can be cancelled by another of the scope") {
    ScratchState state;
    std::string id;
    {
        auto settings = Session::fast_settings();
        settings.orphan_grace = milliseconds{60'000};
        Session gone{state, settings};
        id = id_of(gone.start("sleep 300", 0));
    }
    Session heir{state};
    CHECK(heir.list().jobs.at(0).row.state == JobState::running);
    CHECK(heir.list().jobs.at(0).earlier_session);
    const auto cancelled = heir.cancel(id);
    CHECK(cancelled.result == jobs::CancelResult::ended);
    CHECK(cancelled.job.row.state == JobState::cancelled);
}

TEST_CASE("a close takes no longer than a moment, whatever runs and waits") {
    ScratchState state;
    Session session{state};
    auto request = Session::command("sleep 300", 0);
    request.wait_for = "never";
    for (int i = 0; i < 5; ++i) session.start(request);
    const auto before = state.clock().now();
    session.close();
    CHECK(state.clock().now() - before < milliseconds{50});
}

TEST_CASE("a front end after which nobody is left ends its jobs, and waits for it") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.orphan_grace = milliseconds{60'000};
    Session watcher{state};
    Session last{state, settings};
    const auto id = id_of(last.start("sleep 300", 0));
    last.close(true);
    const auto answer = watcher.await({id}, 5);
    REQUIRE(answer.jobs.size() == 1);
    CHECK(answer.jobs[0].job.row.state == JobState::cancelled);
    CHECK(answer.wait.waited < milliseconds{500});
}
