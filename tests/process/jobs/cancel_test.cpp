// cancel: whole trees, leftovers, ports, and what is refused.
#include <signal.h>

#include <doctest/doctest.h>

#include <filesystem>

#include "platform/process_tree.hpp"
#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using jobs::CancelResult;
using keeper::JobState;
using test::id_of;
using test::ScratchState;
using test::Session;

namespace {

constexpr const char* kListen =
    "exec python3 -c 'import socket, time\n"
    "s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen()\n"
    "print(\"port\", s.getsockname()[1], flush=True); time.sleep(300)'";

}  // namespace

TEST_CASE("a cancelled server and its port are gone when cancel answers") {
    ScratchState state;
    Session session{state};
    auto request = Session::command(kListen, 10);
    request.wait_for = "port \\d+";
    const auto started = session.start(request);
    REQUIRE(started.ready);
    const auto port = std::stoi(started.match->match.text.substr(5));
    const auto pid = started.job.row.pid;
    const auto cancelled = session.cancel(id_of(started));
    CHECK(cancelled.result == CancelResult::ended);
    CHECK(cancelled.job.row.state == JobState::cancelled);
    CHECK(cancelled.gone >= 1);
    CHECK_FALSE(cancelled.escalated);
    REQUIRE(cancelled.ports_free.size() == 1);
    CHECK(cancelled.ports_free[0] == port);
    CHECK(cancelled.ports_in_use.empty());
    CHECK(::kill(pid, 0) == -1);
    CHECK(session.told_ends() == std::vector<std::string>{id_of(started)});
}

TEST_CASE("who ignores the signal is killed after the grace") {
    ScratchState state;
    Session session{state};
    auto request = Session::command("trap '' TERM; echo up; while :; do sleep 0.2; done", 10);
    request.wait_for = "up";
    const auto started = session.start(request);
    const auto cancelled = session.cancel(id_of(started), 0.3);
    CHECK(cancelled.result == CancelResult::ended);
    CHECK(cancelled.escalated);
    CHECK(cancelled.killed >= 1);
}

TEST_CASE("a KILL that was asked for is no escalation") {
    ScratchState state;
    Session session{state};
    jobs::CancelRequest request;
    request.ids = {id_of(session.start("sleep 300", 0))};
    request.signal = SIGKILL;
    const auto cancelled = session.try_cancel(request);
    REQUIRE(cancelled.has_value());
    CHECK(cancelled->jobs.at(0).signal_sent == SIGKILL);
    CHECK_FALSE(cancelled->jobs.at(0).escalated);
}

TEST_CASE("a job that stopped its own keeper is cancelled all the same") {
    ScratchState state;
    Session session{state};
    const auto started =
        session.start("sleep 0.2; kill -STOP $PPID; touch stopped; exec sleep 300", 0);
    REQUIRE(state.wait([&] { return std::filesystem::exists(state.file("stopped")); }));
    const auto began = std::chrono::steady_clock::now();
    const auto cancelled = session.cancel(id_of(started));
    CHECK(cancelled.result == CancelResult::ended);
    CHECK(cancelled.job.row.state == JobState::cancelled);
    CHECK(cancelled.gone == 1);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
}

TEST_CASE("a job that stops its keeper at once does not keep its start") {
    ScratchState state;
    Session session{state};
    const auto began = std::chrono::steady_clock::now();
    for (int round = 0; round < 5; ++round) {  // not each is faster than its keeper
        const auto started = session.start("kill -STOP $PPID; exec sleep 300", 0);
        CHECK(started.job.row.pid > 0);
        CHECK(session.cancel(id_of(started)).result == CancelResult::ended);
    }
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{9});
}

TEST_CASE("leftovers whose keeper was killed are said to be watched by nobody") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("sleep 300 & echo done"));
    const auto pid = session.output(id).job.leftovers.at(0).pid;
    const auto keeper = platform::process_facts(pid)->parent;
    REQUIRE(keeper > 1);
    REQUIRE(::kill(keeper, SIGKILL) == 0);
    CHECK(state.wait([&] { return session.output(id).job.unwatched(); }));
    const auto cancelled = session.cancel(id);
    CHECK(cancelled.result == CancelResult::already_ended);
    CHECK(cancelled.job.unwatched());
    REQUIRE(cancelled.job.leftovers.size() == 1);
    CHECK(cancelled.job.leftovers[0].pid == pid);
    CHECK(::kill(pid, SIGKILL) == 0);
}

TEST_CASE("leftovers are named, and stopped by a cancel of the ended job") {
    ScratchState state;
    Session session{state};
    const auto started = session.start("sleep 300 & echo done");
    CHECK(started.job.row.state == JobState::succeeded);
    CHECK(started.job.leftover_count == 1);
    REQUIRE(started.job.leftovers.size() == 1);
    CHECK(started.job.leftovers[0].command == "sleep 300");
    CHECK(session.list().slots_used == 1);
    const auto cancelled = session.cancel(id_of(started));
    CHECK(cancelled.result == CancelResult::leftovers_ended);
    CHECK(cancelled.job.row.state == JobState::succeeded);
    CHECK(cancelled.gone == 1);
    CHECK(session.cancel(id_of(started)).result == CancelResult::already_ended);
    REQUIRE(state.wait([&] { return session.list().slots_used == 0; }));
    CHECK(session.told().items.empty());
}

TEST_CASE("an unknown id refuses the whole call") {
    ScratchState state;
    Session session{state};
    auto request = Session::command("sleep 300", 0);
    request.title = "web";
    const auto id = id_of(session.start(request));
    jobs::CancelRequest both;
    both.ids = {id, "k3f9x0aa"};
    const auto refused = session.try_cancel(both);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind() == jobs::ErrorKind::unknown_job);
    CHECK(refused.error().text() ==
          "no job \"k3f9x0aa\". Running: " + id + " \"web\". Others: list {}.");
    CHECK(session.list().running_total == 1);
    CHECK_FALSE(session.try_cancel({}).has_value());
    CHECK(session.cancel("web").result == CancelResult::ended);
}

TEST_CASE("remove takes the record and the log too, by id only") {
    ScratchState state;
    Session session{state};
    auto request = Session::command("echo out; sleep 300", 0);
    request.title = "web";
    const auto id = id_of(session.start(request));
    jobs::CancelRequest remove;
    remove.remove = true;
    remove.ids = {"web"};
    CHECK_FALSE(session.try_cancel(remove).has_value());
    remove.ids = {id};
    const auto removed = session.try_cancel(remove);
    REQUIRE(removed.has_value());
    CHECK(removed->jobs[0].removed);
    CHECK_FALSE(std::filesystem::exists(state.state_path() + "/jobs/" + id));
    CHECK(session.list().jobs.empty());
    CHECK(session.told().items.empty());
}
