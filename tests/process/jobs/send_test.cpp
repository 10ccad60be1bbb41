// send: input, its end, and new limits.
#include <doctest/doctest.h>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using keeper::JobState;
using std::chrono::milliseconds;
using test::id_of;
using test::ScratchState;
using test::Session;

namespace {

jobs::StartRequest open_job(std::string command) {
    auto request = Session::command(std::move(command), 0);
    request.open_stdin = true;
    return request;
}

jobs::SendRequest text_to(const std::string& id, std::string text, int wait_ms = 500) {
    jobs::SendRequest request;
    request.id = id;
    request.text = std::move(text);
    request.wait.asked = milliseconds{wait_ms};
    return request;
}

}  // namespace

TEST_CASE("b70_a_megabyte_of_input_arrives_whole_while_other_calls_are_answered") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start(open_job("sleep 1; wc -c")));
    auto request = text_to(id, std::string(1024 * 1024, 'x'), 100);
    request.eof = true;
    const auto sent = session.try_send(request);
    REQUIRE(sent.has_value());
    CHECK(sent->taken_bytes == 1024 * 1024);
    CHECK(sent->waiting_bytes > 0);
    CHECK(session.list().running_total == 1);
    const auto answer = session.await({id});
    REQUIRE(answer.jobs[0].view.has_value());
    CHECK(answer.jobs[0].view->text.find("1048576") != std::string::npos);

    const auto late = session.try_send(text_to(id, "more"));
    REQUIRE(late.has_value());
    CHECK(late->refused);
    CHECK(late->job.row.state == JobState::succeeded);
}

TEST_CASE("what an ended job never read of its input is told to the next send") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start(open_job("while [ ! -e go ]; do sleep 0.02; done")));
    REQUIRE(session.try_send(text_to(id, std::string(1024 * 1024, 'x'), 100)).has_value());
    state.touch("go");
    session.await({id});
    for (const bool followed : {true, false}) {
        CAPTURE(followed);
        if (!followed) REQUIRE(state.wait([&] { return session.list().slots_used == 0; }));
        const auto late = session.try_send(text_to(id, "more"));
        REQUIRE(late.has_value());
        CHECK(late->refused);
        CHECK(late->waiting_bytes > 0);
        CHECK(late->waiting_bytes < 1024 * 1024);
    }
}

TEST_CASE("a prompt is answered as soon as the program has said its line") {
    ScratchState state;
    Session session{state};
    const auto id =
        id_of(session.start(open_job("while read -r l; do echo got $l; done; echo bye")));
    const auto first = session.try_send(text_to(id, "a\n", 10'000));
    REQUIRE(first.has_value());
    CHECK(first->view->text == "got a\n");
    CHECK(first->wait.waited < milliseconds{3000});
    CHECK_FALSE(first->no_newline);

    const auto half = session.try_send(text_to(id, "b", 300));
    REQUIRE(half.has_value());
    CHECK(half->no_newline);
    auto rest = text_to(id, "c\n", 10'000);
    rest.wait_for = "got";
    const auto matched = session.try_send(rest);
    REQUIRE(matched.has_value());
    REQUIRE(matched->match.has_value());
    CHECK(matched->match->match.text == "got bc");

    auto end = text_to(id, "", 10'000);
    end.eof = true;
    const auto ended = session.try_send(end);
    REQUIRE(ended.has_value());
    CHECK(ended->job.row.state == JobState::succeeded);
    CHECK(ended->view->text == "bye\n");
}

TEST_CASE("text for an input that the job has closed is told as lost") {
    ScratchState state;
    Session session{state};
    auto request = open_job("exec <&-; echo closed; sleep 30");
    request.wait_for = "closed";
    request.wait.asked = milliseconds{10'000};
    const auto id = id_of(session.start(request));
    const auto first = session.try_send(text_to(id, "a\n"));
    REQUIRE(first.has_value());
    CHECK(first->input_closed);
    const auto second = session.try_send(text_to(id, "b\n", 0));
    REQUIRE(second.has_value());
    CHECK(second->input_closed);
    CHECK(second->taken_bytes == 0);
}

TEST_CASE("a job without an input refuses text, and takes a new limit at once") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("sleep 30", 0));
    const auto refused = session.try_send(text_to(id, "x\n"));
    REQUIRE(refused.has_value());
    CHECK(refused->refused);

    jobs::SendRequest limit;
    limit.id = id;
    limit.runtime_limit = milliseconds{1000};
    limit.wait.asked = milliseconds{30'000};
    const auto set = session.try_send(limit);
    REQUIRE(set.has_value());
    CHECK(set->new_limit == milliseconds{1000});
    CHECK(set->wait.waited < milliseconds{500});
    CHECK_FALSE(set->view.has_value());
    const auto ended = session.await({id});
    CHECK(ended.jobs[0].job.row.state == JobState::timed_out);
    CHECK(ended.jobs[0].job.row.spec.runtime_limit_ms == 1000);
}
