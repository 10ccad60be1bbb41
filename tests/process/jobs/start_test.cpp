// start: from a command to its answer.
#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <string>

#include "platform/process_tree.hpp"
#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using keeper::JobState;
using test::id_of;
using test::ScratchState;
using test::Session;

TEST_CASE("a command that ends is a complete answer and owes no notice") {
    ScratchState state;
    Session session{state};
    const auto started = session.start("echo hello; exit 3");
    const auto& job = started.job;
    CHECK(job.row.state == JobState::failed);
    REQUIRE(job.row.exit.has_value());
    CHECK(job.row.exit->exit_code == 3);
    REQUIRE(started.view.has_value());
    CHECK(started.view->text == "hello\n");
    CHECK(started.view->range == store::Range{0, 6});
    CHECK(session.told_ends() == std::vector<std::string>{id_of(started)});
    const auto listing = session.list();
    CHECK(session.told_ends().empty());
    REQUIRE(listing.jobs.size() == 1);
    CHECK(listing.jobs[0].row.state == JobState::failed);
    CHECK_FALSE(listing.jobs[0].unread_end);
    CHECK(listing.running_total == 0);
    CHECK(listing.slots_used == 0);
}

TEST_CASE("one that runs longer goes on, and await tells its end within 100 ms of it") {
    ScratchState state;
    Session session{state};
    const auto started = session.start("echo up; sleep 1; echo done", 0.2);
    CHECK(started.job.row.state == JobState::running);
    CHECK(started.first_running);
    CHECK(started.job.row.pid > 1);
    CHECK(started.slots_used == 1);
    CHECK_FALSE(started.view.has_value());

    const auto ended = session.await({id_of(started)}, 15);
    REQUIRE(ended.jobs.size() == 1);
    CHECK(ended.ended_by == jobs::EndedBy::exit);
    CHECK(ended.jobs[0].ended_now);
    CHECK(ended.jobs[0].job.row.state == JobState::succeeded);
    REQUIRE(ended.jobs[0].view.has_value());
    CHECK(ended.jobs[0].view->text == "up\ndone\n");
    CHECK(ended.wait.waited < std::chrono::milliseconds{2500});
    CHECK(ended.jobs[0].job.ended_age < std::chrono::milliseconds{100});
}

namespace {

// A job that runs, its keeper, and the fork server that made that.
struct Family {
    explicit Family(Session& session) {
        session.start("true");  // the first keeper is no child of the fork server
        running = session.start("echo up; sleep 1; echo done", 0.2);
        const auto shell = platform::process_facts(running.job.row.pid);
        REQUIRE(shell.has_value());
        keeper = shell->parent;
        const auto facts = platform::process_facts(keeper);
        REQUIRE(facts.has_value());
        forks = facts->parent;
        REQUIRE(forks > 1);
    }
    // The keeper that waits; 0: there is none now.
    [[nodiscard]] pid_t spare() const {
        const auto pid = std::to_string(forks);
        std::ifstream children{"/proc/" + pid + "/task/" + pid + "/children"};
        for (pid_t child = 0; children >> child;) {
            if (child != keeper) return child;
        }
        return 0;
    }
    jobs::StartedJob running;
    pid_t keeper = 0;
    pid_t forks = 0;
};

bool lives(pid_t pid) {
    const auto facts = platform::process_facts(pid);
    return facts && facts->alive();
}

}  // namespace

TEST_CASE("a fork server that was killed is replaced") {
    ScratchState state;
    Session session{state};
    const Family family{session};
    REQUIRE(::kill(family.forks, SIGKILL) == 0);
    for (int i = 0; i < 3; ++i) {
        CHECK(session.start("true").job.row.state == JobState::succeeded);
    }
    const auto ended = session.await({id_of(family.running)}, 15);
    CHECK(ended.jobs[0].job.row.state == JobState::succeeded);
}

TEST_CASE("a spare keeper that died fails no start") {
    ScratchState state;
    Session session{state};
    const Family family{session};
    pid_t spare = 0;
    // The keeper of the first job has left by then.
    REQUIRE(state.wait([&] {
        spare = session.list().slots_used <= 1 ? family.spare() : 0;
        return spare > 1;
    }));
    REQUIRE(::kill(spare, SIGKILL) == 0);
    REQUIRE(state.wait([&] { return !lives(spare); }));
    CHECK(session.start("true").job.row.state == JobState::succeeded);
}

TEST_CASE("a spare keeper that was stopped goes on, or another takes its place") {
    ScratchState state;
    Session session{state};
    const Family family{session};
    pid_t spare = 0;
    REQUIRE(state.wait([&] {
        spare = session.list().slots_used <= 1 ? family.spare() : 0;
        return spare > 1;
    }));
    REQUIRE(::kill(spare, SIGSTOP) == 0);
    const auto started = session.start("true", 10);
    // One that had not greeted was let go, and leaves when it goes on.
    if (lives(spare)) CHECK(::kill(spare, SIGCONT) == 0);
    CHECK(started.job.row.state == JobState::succeeded);
    CHECK(started.wait.waited < std::chrono::milliseconds{9'000});
}
