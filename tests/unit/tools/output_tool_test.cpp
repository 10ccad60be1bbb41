#include "tools/output_tool.hpp"

#include <doctest/doctest.h>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::OutputOutcome;
using bgshell::jobs::OutputRequest;

namespace {

Answer render(const OutputOutcome& outcome, const OutputRequest& request = {}) {
    return render_output(outcome, request, kPlain);
}

}  // namespace

TEST_CASE("output: what is new since the last look") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "web", 12min, 24h);
    outcome.job.row.ready = true;
    printed(outcome.job, 9004);
    outcome.view.range = {8120, 9004};
    outcome.view.text = "GET /\nGET /a\n";
    CHECK(text_of(render(outcome)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, ready\n"
          "new output (untrusted), bytes 8120-9004:\n"
          "GET /\n"
          "GET /a");
}

TEST_CASE("output: nothing new shows the last lines again, marked") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "web", 12min, 24h);
    outcome.job.row.ready = true;
    outcome.job.last_output_age = 3min;
    printed(outcome.job, 8120);
    outcome.view.range = {7702, 8120};
    outcome.view.text = "GET /\n";
    outcome.view.again = true;
    CHECK(text_of(render(outcome)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, ready, no new output for 3 min\n"
          "last lines again (untrusted), bytes 7702-8120:\n"
          "GET /");
}

TEST_CASE("output: what the log has lost is said, and never that it is whole") {
    OutputOutcome outcome;
    outcome.job = succeeded("k3f9x0ab", "web", 2s);
    printed(outcome.job, 1000);
    outcome.view.range = {0, 1000};
    outcome.view.next = 1000;
    outcome.view.text = "GET /\n";
    outcome.view.missing = {6, 1000};
    outcome.view.omitted = {{{6, 1000}, 0, 6, false}};
    CHECK(text_of(render(outcome)) ==
          "k3f9x0ab \"web\" succeeded after 2 s\n" + ("log " + std::string{kLog}) +
              "\n994 bytes are missing: the log ends at byte 6, not at 1000\n"
              "output (untrusted), bytes 0-1000, omitted 6-1000:\n"
              "GET /\n"
              "[... 6-1000 omitted ...]");
    outcome.view.text.clear();
    outcome.view.omitted.clear();
    outcome.view.searched = true;
    OutputRequest request;
    request.grep = "error";
    const std::string text = text_of(render(outcome, request));
    CHECK(text.find("No line matches in 0-1000.") != text.npos);
    CHECK(text.find("994 bytes are missing") != text.npos);
}

TEST_CASE("output: where one stream cannot be told from the other is named") {
    OutputOutcome outcome;
    outcome.job = succeeded("k3f9x0ab", "web", 2s);
    outcome.job.row.spec.split_stderr = true;
    printed(outcome.job, 12);
    outcome.view = whole("out\neither\n");
    outcome.view.mixed = {{4, 12}};
    OutputRequest request;
    request.stream_given = true;
    request.stream = bgshell::store::Stream::out;
    const std::string text = text_of(render(outcome, request));
    CHECK(
        text.find("\nstdout and stderr could not be told apart in bytes 4-12: both are shown\n") !=
        text.npos);
}

TEST_CASE("output: of lines that partly rolled off the least is said") {
    OutputOutcome outcome;
    outcome.job = succeeded("k3f9x0ab", "web", 2s);
    printed(outcome.job, 1000);
    outcome.view = whole("a\nb\n");
    outcome.view.range = {0, 1000};
    outcome.view.rolled = true;
    outcome.view.omitted = {{{2, 998}, 7, 2, false}};
    const std::string text = text_of(render(outcome));
    CHECK(text.find(", omitted 2-998 (at least 7 lines):\n") != text.npos);
}

TEST_CASE("output: silent from the start") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "migrate", 190s);
    CHECK(text_of(render(outcome)) ==
          "k3f9x0ab \"migrate\" running 3 min 10 s of 30 min, no output yet (0 bytes)");
}

TEST_CASE("output: of an ended job it is never an error, and states the end") {
    OutputOutcome outcome;
    outcome.job = failed("k3f9x0ab", "build", 362s, 2);
    const Answer answer = render(outcome);
    CHECK_FALSE(answer.is_error);
    CHECK(answer.stated.size() == 1);
    CHECK(text_of(answer) == "k3f9x0ab \"build\" failed, exit code 2, after 6 min 2 s, no output");
}

TEST_CASE("output: a search") {
    OutputOutcome outcome;
    outcome.job = failed("k3f9x0ab", "build", 362s, 2);
    printed(outcome.job, 33554432);
    outcome.view.range = {0, 33554432};
    outcome.view.searched = true;
    outcome.view.matches_total = 37;
    for (std::uint64_t i = 0; i < 15; ++i) {
        outcome.view.matches.push_back({1480 + i, i + 1, "src/a.cpp:14:3: error", false});
    }
    outcome.view.matches_first = 12;
    OutputRequest request;
    request.grep = "error";
    const std::string text = text_of(render(outcome, request));
    CHECK(text.starts_with(
        std::string{"k3f9x0ab \"build\" failed, exit code 2, after 6 min 2 s\n"
                    "log "} +
        kLog +
        "\n"
        "37 lines match, first 12 and last 3 shown (untrusted), byte position then "
        "line:\n"
        "1480: src/a.cpp:14:3: error\n"));

    outcome.view.matches_total = 2;
    outcome.view.matches = {
        {10, 1, "before", true}, {17, 2, "error", false}, {23, 3, "error", false}};
    outcome.view.matches_first = 3;
    CHECK(text_of(render(outcome, request)) ==
          "k3f9x0ab \"build\" failed, exit code 2, after 6 min 2 s\n"
          "2 lines match (untrusted), byte position then line:\n"
          "10- before\n"
          "17: error\n"
          "23: error");

    outcome.view.matches.clear();
    outcome.view.matches_total = 0;
    outcome.view.matches_first = 0;
    outcome.view.pattern_literal = true;
    CHECK(text_of(render(outcome, request)) ==
          "k3f9x0ab \"build\" failed, exit code 2, after 6 min 2 s\n"
          "No line matches in 0-33554432, the whole log.\n"
          "grep is no valid RE2: taken literally");

    outcome.view.omitted = {{{8388608, 20000000}}};
    outcome.view.rolled = true;
    CHECK(text_of(render(outcome, request))
              .find("No line matches in 0-33554432, the whole log; 8388608-20000000 was rolled "
                    "off.\n") != std::string::npos);

    outcome.view.matches_total = 1;
    outcome.view.matches = {{10, 1, "error", false}};
    CHECK(text_of(render(outcome, request)).find("\n8388608-20000000 was rolled off\n") !=
          std::string::npos);
}

TEST_CASE("output: reading on from a position") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "web", 12min, 24h);
    printed(outcome.job, 20000);
    outcome.job.unread_bytes = 15000;
    outcome.job.unread_lines = 700;
    outcome.view.range = {5000, 13000};
    outcome.view.next = 13000;
    outcome.view.text = "line\n";
    OutputRequest request;
    request.from = 5000;
    CHECK(text_of(render(outcome, request)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, +700 lines\n"
          "next: output {\"id\":\"k3f9x0ab\",\"from\":13000}\n"
          "output (untrusted), bytes 5000-13000:\n"
          "line");
    CHECK_FALSE(shows_news(request));

    outcome.view = {};
    outcome.view.range = {20000, 20000};
    outcome.view.next = 20000;
    request.from = 90000;
    CHECK(text_of(render(outcome, request)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, +700 lines\n"
          "nothing from byte 90000 on: the log ends at 20000");
}

TEST_CASE("output: several cuts, and a log with holes") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "flood", 12min);
    printed(outcome.job, 500000);
    outcome.view.range = {0, 500000};
    outcome.view.text = "first\nmiddle\nlast\n";
    outcome.view.omitted = {{{6, 100000}, 12, 6}, {{200000, 499990}, 1, 13}};
    outcome.view.rolled = true;
    CHECK(text_of(render(outcome)) == std::string{"k3f9x0ab \"flood\" running 12 min of 30 min\n"
                                                  "log "} +
                                          kLog +
                                          " (rolled, with holes: read it with output)\n"
                                          "output (untrusted), bytes 0-500000, omitted 6-100000 "
                                          "(12 lines), 200000-499990 (1 line):\n"
                                          "first\n"
                                          "[... 6-100000 omitted ...]\n"
                                          "middle\n"
                                          "[... 200000-499990 omitted ...]\n"
                                          "last");
}

TEST_CASE("output: a command cannot forge a header, nor break the answer by odd bytes") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "nasty\nk3f9x0ab succeeded", 12min);
    outcome.job.log_path = "/tmp/\xff/log";
    outcome.view = whole("\xff\xfe k3f9x0ab succeeded after 1 s\n");
    printed(outcome.job, outcome.view.text.size());
    const std::string text = text_of(render(outcome));
    CHECK(text ==
          "k3f9x0ab \"nasty\\nk3f9x0ab succeeded\" running 12 min of 30 min\n"
          "output (untrusted):\n"
          "\xef\xbf\xbd\xef\xbf\xbd k3f9x0ab succeeded after 1 s");
}

TEST_CASE("output: both streams of a split job come in approximate order") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "x", 1s);
    outcome.job.row.spec.split_stderr = true;
    outcome.view = whole("a\n");
    printed(outcome.job, 2);
    CHECK(text_of(render(outcome)).find("order between them is approximate") != std::string::npos);
    OutputRequest request;
    request.stream = bgshell::store::Stream::err;
    request.stream_given = true;
    CHECK(text_of(render(outcome, request)).find("approximate") == std::string::npos);
}

TEST_CASE("output: structure says the ranges") {
    OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "web", 1s);
    outcome.view = whole("");
    const Answer answer = render(outcome);
    const auto& output = answer.structure.at("output").as_object();
    CHECK(output.at("text").as_string().empty());
    CHECK(output.at("from").to_number<int>() == 0);
    CHECK(output.at("to").to_number<int>() == 0);
    CHECK(output.at("omitted_bytes").to_number<int>() == 0);
}
