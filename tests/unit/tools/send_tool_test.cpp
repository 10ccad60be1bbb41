#include "tools/send_tool.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::SendOutcome;
using bgshell::jobs::SendRequest;

namespace {

SendRequest read(const char* arguments) {
    const boost::json::value values = boost::json::parse(arguments);
    return read_send(Arguments{values.as_object()}, kPlain);
}

}  // namespace

TEST_CASE("send: the new output comes under line 1") {
    SendOutcome outcome;
    outcome.job = running("k3f9x0ab", "python", 20s);
    outcome.view = bgshell::jobs::OutputView{};
    outcome.view->range = {40, 44};
    outcome.view->text = "4\n>>>";
    outcome.taken_bytes = 4;
    printed(outcome.job, 44);
    SendRequest request;
    request.text = "2+2\n";
    const Answer answer = render_send(outcome, request, kPlain);
    CHECK(text_of(answer) ==
          "k3f9x0ab \"python\" running 20 s of 30 min\n"
          "new output (untrusted), bytes 40-44:\n"
          "4\n"
          ">>>");
    CHECK_FALSE(answer.is_error);
}

TEST_CASE("send: Enter was not pressed") {
    SendOutcome outcome;
    outcome.job = running("k3f9x0ab", "python", 20s);
    outcome.taken_bytes = 5;
    outcome.waiting_bytes = 5;
    outcome.no_newline = true;
    SendRequest request;
    request.text = "y\xE2\x82\xAC!";
    CHECK(text_of(render_send(outcome, request, kPlain)) ==
          "k3f9x0ab \"python\" running 20 s of 30 min, no output yet (0 bytes)\n"
          "3 characters typed, no newline: Enter was not pressed\n"
          "5 bytes of input not read by the job yet");
}

TEST_CASE("send: to a job without input, or to an ended one") {
    SendOutcome outcome;
    outcome.refused = true;
    outcome.job = running("k3f9x0ab", "web", 20s);
    Answer answer = render_send(outcome, SendRequest{}, kPlain);
    CHECK(text_of(answer) == "k3f9x0ab \"web\" has no input. Start it with open_stdin: true.");
    CHECK(answer.is_error);
    CHECK(answer.structure.contains("job"));

    outcome.job = failed("m7q2a7c3", "lint", 12400ms, 1);
    answer = render_send(outcome, SendRequest{}, kPlain);
    CHECK(text_of(answer) ==
          "m7q2a7c3 \"lint\" failed, exit code 1, after 12.4 s: nothing was sent");
    CHECK(answer.is_error);
    CHECK(answer.stated.size() == 1);
    outcome.waiting_bytes = 700;
    CHECK(text_of(render_send(outcome, SendRequest{}, kPlain))
              .ends_with("\nof what was sent before it never read the last 700 bytes"));
}

TEST_CASE("send: more than fits names the bytes taken") {
    SendOutcome outcome;
    outcome.job = running("k3f9x0ab", "cat", 20s);
    outcome.taken_bytes = 10;
    outcome.waiting_bytes = 4194304;
    SendRequest request;
    request.text = std::string(20, 'x') + "\n";
    const Answer answer = render_send(outcome, request, kPlain);
    CHECK(answer.is_error);
    CHECK(text_of(answer).find(
              "\ntook 10 of 21 bytes: the job reads too slowly; send the rest later\n") !=
          std::string::npos);
}

TEST_CASE("send: a part is not called typed, and its missing end no missing Enter") {
    SendOutcome outcome;
    outcome.job = running("k3f9x0ab", "cat", 20s);
    outcome.no_newline = true;
    SendRequest request;
    request.text = "abc";
    CHECK(text_of(render_send(outcome, request, kPlain)) ==
          "k3f9x0ab \"cat\" running 20 s of 30 min, no output yet (0 bytes)\n"
          "took 0 of 3 bytes: the job reads too slowly; send the rest later");
}

TEST_CASE("send: an input that the job closed is an error that says what was lost") {
    SendOutcome outcome;
    outcome.job = running("k3f9x0ab", "cat", 20s);
    outcome.input_closed = true;
    SendRequest request;
    request.text = "abc\n";
    Answer answer = render_send(outcome, request, kPlain);
    CHECK(answer.is_error);
    CHECK(text_of(answer) ==
          "k3f9x0ab \"cat\" running 20 s of 30 min, no output yet (0 bytes)\n"
          "its input is closed already: nothing was sent");

    outcome.taken_bytes = 4;
    answer = render_send(outcome, request, kPlain);
    CHECK(answer.is_error);
    CHECK(text_of(answer) ==
          "k3f9x0ab \"cat\" running 20 s of 30 min, no output yet (0 bytes)\n"
          "the job closed its input before it read all of this");
}

TEST_CASE("send: a new limit, counted from now") {
    SendOutcome outcome;
    outcome.job = running("k3f9x0ab", "train", 27min, 87min);
    outcome.new_limit = 1h;
    CHECK(text_of(render_send(outcome, SendRequest{}, kPlain)) ==
          "k3f9x0ab \"train\" running 27 min of 1 h 27 min, no output yet (0 bytes)\n"
          "new limit: stopped in 1 h");
}

TEST_CASE("send: how long it waits") {
    CHECK(read(R"({"id":"a","text":"x"})").wait.asked == 500ms);
    CHECK(read(R"({"id":"a","eof":true})").wait.asked == 500ms);
    CHECK(read(R"({"id":"a"})").wait.asked == 30s);
    CHECK(read(R"({"id":"a","wait_for":"x"})").wait.asked == 30s);
    CHECK(read(R"({"id":"a","runtime_limit_s":3600})").wait.asked == 0s);
    CHECK(read(R"({"id":"a","runtime_limit_s":3600,"wait_s":2.5})").wait.asked == 2500ms);
}
