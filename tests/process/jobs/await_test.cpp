// await: over any and all of several jobs, by end, match, silence and time.
#include <doctest/doctest.h>

#include <algorithm>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using jobs::AwaitMode;
using jobs::EndedBy;
using keeper::JobState;
using std::chrono::milliseconds;
using test::id_of;
using test::ScratchState;
using test::Session;

namespace {

jobs::AwaitRequest waiting_for(std::vector<std::string> ids, std::string pattern, int wait_ms) {
    jobs::AwaitRequest request;
    request.ids = std::move(ids);
    request.wait_for = std::move(pattern);
    request.wait.asked = milliseconds{wait_ms};
    return request;
}

}  // namespace

TEST_CASE("any returns at the first end, and a told end does not end the next one") {
    ScratchState state;
    Session session{state};
    const auto fast = id_of(session.start("while [ ! -e go ]; do sleep 0.02; done", 0));
    const auto slow = id_of(session.start("while [ ! -e then ]; do sleep 0.02; done", 0));
    state.touch("go");
    const auto first = session.await({slow, fast});
    CHECK(first.ended_by == EndedBy::exit);
    CHECK(first.ended_count == 1);
    REQUIRE(first.jobs.size() == 2);
    CHECK(first.jobs[0].job.row.state == JobState::running);
    CHECK(first.jobs[1].ended_now);

    state.touch("then");
    const auto second = session.await({slow, fast});
    CHECK(second.ended_count == 2);
    CHECK(second.jobs[0].ended_now);
    CHECK_FALSE(second.jobs[1].ended_now);

    // All have ended and all is told: at once.
    const auto third = session.await({slow, fast}, 15);
    CHECK(third.ended_by == EndedBy::exit);
    CHECK(third.wait.waited < milliseconds{500});
}

TEST_CASE("an untold end answers at once; without jobs there is nothing to wait for") {
    ScratchState state;
    Session session{state};
    CHECK(session.await({}).nothing_to_wait_for);
    const auto id = id_of(session.start("sleep 0.1", 0));
    REQUIRE(state.wait([&] { return session.manager().progress({id}).empty(); }));
    const auto answer = session.await({}, 15);
    CHECK(answer.wait.waited < milliseconds{500});
    REQUIRE(answer.jobs.size() == 1);
    CHECK(answer.jobs[0].ended_now);
    CHECK(session.await({}).nothing_to_wait_for);
}

TEST_CASE("all waits for the last one, and skips services where none is named") {
    ScratchState state;
    Session session{state};
    auto service = Session::command("sleep 30", 0);
    service.service = true;
    const auto server = id_of(session.start(service));
    CHECK(session.await({}, 15, AwaitMode::all).nothing_to_wait_for);
    session.start("while [ ! -e go ]; do sleep 0.02; done", 0);
    session.start("while [ ! -e go ]; do sleep 0.02; done; sleep 0.3; exit 4", 0);
    state.touch("go");
    const auto answer = session.await({}, 15, AwaitMode::all);
    CHECK(answer.ended_by == EndedBy::exit);
    CHECK(answer.services_running == 1);
    CHECK(answer.ended_count == 2);
    CHECK(answer.jobs.size() == 2);
    CHECK(session.cancel(server).result == jobs::CancelResult::ended);
}

TEST_CASE("time passes: still running is a normal answer") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("echo one; echo two; sleep 30", 0));
    REQUIRE(state.wait([&] { return session.list().jobs.at(0).bytes_stored == 8; }));
    jobs::AwaitRequest request;
    request.ids = {id};
    request.wait.asked = milliseconds{60'000};
    request.wait.ceiling = milliseconds{400};
    const auto answer = session.try_await(request);
    REQUIRE(answer.has_value());
    CHECK(answer->ended_by == EndedBy::time);
    CHECK(answer->wait.shortened);
    CHECK(answer->wait.waited >= milliseconds{400});
    CHECK(answer->wait.waited < milliseconds{3000});
    REQUIRE(answer->jobs.size() == 1);
    CHECK(answer->jobs[0].job.unread_lines == 2);
    CHECK(answer->jobs[0].last_line == "two");
    session.cancel(id);
}

TEST_CASE("a match whose answer was lost is given again") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("echo Found 3 errors; sleep 30", 0));
    const auto match = [&] {
        const auto answer = session.try_await(waiting_for({id}, "Found \\d+ errors", 5000));
        REQUIRE(answer.has_value());
        REQUIRE(answer->jobs[0].match.has_value());
        return *answer->jobs[0].match;
    };
    CHECK(match().matched);
    session.lose_last_answer();
    CHECK(match().matched);
    const auto again = session.try_await(waiting_for({id}, "Found \\d+ errors", 100));
    REQUIRE(again.has_value());
    CHECK(again->jobs[0].match->shown_before);
    session.cancel(id);
}

TEST_CASE("wait_for looks at all output first, later only at new output") {
    ScratchState state;
    Session session{state};
    const auto id =
        id_of(session.start("echo Found 3 errors; while [ ! -e go ]; do sleep 0.05; done; echo "
                            "Found 0 errors; sleep 30",
                            0.3));
    REQUIRE(state.wait([&] { return session.list().jobs.at(0).bytes_stored > 0; }));
    const auto old = session.try_await(waiting_for({id}, "Found \\d+ errors", 5000));
    REQUIRE(old.has_value());
    CHECK(old->ended_by == EndedBy::match);
    REQUIRE(old->jobs[0].match.has_value());
    CHECK(old->jobs[0].match->match.text == "Found 3 errors");
    CHECK(old->jobs[0].match->match.line == 1);
    CHECK(old->jobs[0].match->age.has_value());

    const auto none = session.try_await(waiting_for({id}, "Found \\d+ errors", 300));
    REQUIRE(none.has_value());
    CHECK(none->ended_by == EndedBy::time);
    CHECK(none->jobs[0].match->shown_before);
    CHECK(none->jobs[0].match->match.text == "Found 3 errors");

    state.touch("go");
    const auto fresh = session.try_await(waiting_for({id}, "Found \\d+ errors", 5000));
    REQUIRE(fresh.has_value());
    CHECK(fresh->ended_by == EndedBy::match);
    CHECK(fresh->jobs[0].match->match.text == "Found 0 errors");
    session.cancel(id);
}

TEST_CASE("wait_for over several jobs: any and all; a prompt without a newline matches") {
    ScratchState state;
    Session session{state};
    const auto one = id_of(session.start("printf 'ready> '; sleep 30", 0));
    const auto two = id_of(session.start("sleep 0.7; printf 'ready> '; sleep 30", 0));
    const auto any = session.try_await(waiting_for({one, two}, "ready> ", 5000));
    REQUIRE(any.has_value());
    CHECK(any->ended_by == EndedBy::match);
    CHECK(any->jobs[0].match->matched);
    CHECK_FALSE(any->jobs[1].match->matched);

    auto both = waiting_for({two}, "ready> ", 5000);
    both.mode = AwaitMode::all;
    const auto all = session.try_await(both);
    REQUIRE(all.has_value());
    CHECK(all->ended_by == EndedBy::match);
    session.cancel(one);
    session.cancel(two);
}

TEST_CASE("quiet_s ends a wait when nothing has been printed for so long") {
    ScratchState state;
    Session session{state};
    const auto id =
        id_of(session.start("for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; sleep 30", 0));
    jobs::AwaitRequest request;
    request.ids = {id};
    request.quiet = milliseconds{700};
    request.wait.asked = milliseconds{15'000};
    const auto answer = session.try_await(request);
    REQUIRE(answer.has_value());
    CHECK(answer->ended_by == EndedBy::quiet);
    CHECK(*answer->jobs[0].job.last_output_age >= milliseconds{700});
    CHECK(answer->jobs[0].job.unread_lines == 5);
    session.cancel(id);
}

TEST_CASE("start answers when it is ready; await waits for a readiness that comes later") {
    ScratchState state;
    Session session{state};
    auto request = Session::command("sleep 0.2; echo listening on 5; sleep 30", 10);
    request.wait_for = "listening";
    const auto ready = session.start(request);
    CHECK(ready.ready);
    CHECK(ready.view->text == "listening on 5\n");
    CHECK(ready.job.row.ready);
    CHECK(ready.wait.waited < milliseconds{5000});

    request.command = "sleep 1; echo listening on 6; sleep 30";
    request.wait.asked = milliseconds{100};
    const auto later = session.start(request);
    CHECK(later.not_ready);
    const auto answer = session.await({id_of(later)}, 10);
    CHECK(answer.ended_by == EndedBy::match);
    CHECK(answer.jobs[0].job.row.ready);
    const auto again = session.await({id_of(later)}, 0.2);
    CHECK(again.ended_by == EndedBy::time);
    session.cancel(id_of(ready));
    session.cancel(id_of(later));
}

TEST_CASE("b44_await_answers_within_100_ms_of_the_end") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("sleep 1", 0));
    const auto answer = session.await({id}, 15);
    CHECK(answer.jobs[0].ended_now);
    CHECK(answer.jobs[0].job.ended_age < milliseconds{100});
    CHECK(answer.wait.waited < milliseconds{4000});
}

TEST_CASE("b45_five_jobs_that_end_together_are_each_told_once") {
    ScratchState state;
    Session session{state};
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(id_of(
            session.start("while [ ! -e go ]; do sleep 0.01; done; exit " + std::to_string(i), 0)));
    }
    state.touch("go");
    REQUIRE(state.wait([&] { return session.manager().progress({}).empty(); }));
    session.list();
    auto told = session.told_ends();
    std::ranges::sort(told);
    std::ranges::sort(ids);
    CHECK(told == ids);
    session.list();
    CHECK(session.told_ends().empty());
}
