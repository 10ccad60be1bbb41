// What somebody removed behind our back: a job's directory, or the whole state directory.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using keeper::JobState;
using test::id_of;
using test::ScratchState;
using test::Session;

namespace {

void remove_job(ScratchState& state, const std::string& id) {
    const auto path = state.state_path() + "/jobs/" + id;
    // Whoever settles the job may make its lock again meanwhile.
    REQUIRE(state.wait([&] {
        std::error_code not_yet;
        std::filesystem::remove_all(path, not_yet);
        return !std::filesystem::exists(path);
    }));
}

// Starts what has read its script when this returns.
std::string start_and_see(ScratchState& state, Session& session, const std::string& command) {
    const auto id = id_of(session.start("echo up; " + command, 0));
    REQUIRE(state.wait([&] { return session.output(id).job.bytes_stored > 0; }));
    return id;
}

bool says(const std::vector<std::string>& facts, const std::string& words) {
    for (const auto& fact : facts) {
        if (fact.find(words) != fact.npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("an end is told although its directory is gone, and that the log is gone") {
    ScratchState state;
    Session session{state};
    const auto id =
        id_of(session.start("while [ ! -e go ]; do sleep 0.02; done; echo unread; exit 3", 0));
    state.touch("go");
    REQUIRE(state.wait([&] { return session.list().running_total == 0; }));
    remove_job(state, id);
    const auto answer = session.await({id});
    REQUIRE(answer.jobs.size() == 1);
    CHECK(answer.jobs[0].job.row.state == JobState::failed);
    CHECK_FALSE(answer.jobs[0].view);
    CHECK(says(answer.facts, "its log with it"));
    const auto read = session.output(id);
    CHECK(read.job.row.exit->exit_code == 3);
    CHECK(read.unreadable);
    CHECK(says(read.facts, "its log with it"));
    CHECK(session.cancel(id).result == jobs::CancelResult::already_ended);
}

TEST_CASE("a log that was removed or cut does not pass for complete") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("echo one; echo two"));
    const auto log = state.state_path() + "/jobs/" + id + "/log";
    std::filesystem::resize_file(log, 4);
    const auto cut = session.output(id).view;
    CHECK(cut.missing == store::Range{4, 8});
    std::filesystem::remove(log);
    jobs::OutputRequest request;
    request.id = id;
    request.grep = "one";
    const auto searched = state.run(session.manager().output(session.caller(), request));
    REQUIRE(searched.has_value());
    CHECK(searched->view.matches_total == 0);
    CHECK(searched->view.missing == store::Range{0, 8});
}

TEST_CASE("what a lost job has printed is known from its log") {
    ScratchState state;
    Session session{state};
    const auto id =
        id_of(session.start("echo $PPID $$; while [ ! -e go ]; do sleep 0.02; done", 0));
    int keeper = 0;
    int shell = 0;
    REQUIRE(state.wait([&] {
        std::istringstream pids{session.output(id).view.text};
        return static_cast<bool>(pids >> keeper >> shell);
    }));
    REQUIRE(keeper > 1);
    REQUIRE(::kill(keeper, SIGKILL) == 0);
    REQUIRE(state.wait([&] { return session.list().running_total == 0; }));
    state.touch("go");  // nobody is left to end the shell
    CHECK(state.wait([&] { return ::kill(shell, 0) != 0; }));
    Session later{state};
    const auto job = later.list().jobs.at(0);
    CHECK(job.row.state == JobState::lost);
    CHECK(job.bytes_produced >= 4);
    CHECK(job.unread_bytes == job.bytes_produced);
}

TEST_CASE("the first start after the state directory was removed makes it again") {
    ScratchState state;
    Session session{state};
    session.start("true");
    const auto runs = start_and_see(state, session, "while [ ! -e go ]; do sleep 0.05; done");
    std::filesystem::remove_all(state.state_path());
    // What is known is still told.
    CHECK(session.list().running_total == 1);
    CHECK(session.output(runs).job.row.state == JobState::running);
    const auto started = session.start("echo again");
    CHECK(started.job.row.state == JobState::succeeded);
    CHECK(started.view->text == "again\n");
    CHECK(says(started.facts, state.state_path() + " had been removed and was made again"));
    CHECK(session.start("true").facts.empty());
    CHECK(state.wait([&] { return session.list().running_total == 1; }));
    // The other front ends see a living owner.
    Session other{state};
    jobs::CancelRequest cancel;
    cancel.ids = {runs};
    CHECK(other.try_cancel(cancel).error().kind() == jobs::ErrorKind::not_permitted);
    state.touch("go");
    CHECK(session.await({runs}).jobs.at(0).job.row.state == JobState::succeeded);
}

TEST_CASE("a state directory that cannot be made again is named, and what is known still told") {
    ScratchState state;
    Session session{state};
    session.expect_failures();
    const auto id = start_and_see(state, session, "sleep 300");
    std::filesystem::remove_all(state.state_path());
    // Not even root can make a directory where a file is.
    std::ofstream{state.state_path()}.flush();
    const auto refused = session.try_start(Session::command("true"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().text().find(state.state_path()) != std::string::npos);
    CHECK(refused.error().text().find("BGSHELL_STATE") != std::string::npos);
    CHECK(session.cancel(id).job.row.state == JobState::cancelled);
    std::filesystem::remove(state.state_path());
    CHECK(session.start("true").job.row.state == JobState::succeeded);
}
