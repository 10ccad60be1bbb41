#include "tools/await_tool.hpp"

#include <doctest/doctest.h>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::AwaitedJob;
using bgshell::jobs::AwaitOutcome;
using bgshell::jobs::EndedBy;
using bgshell::jobs::MatchReport;

namespace {

AwaitedJob awaited(JobSnapshot job, std::uint64_t new_lines = 0) {
    AwaitedJob result;
    if (new_lines > 0) {
        printed(job, new_lines * 20);
        job.unread_bytes = new_lines * 20;
        job.unread_lines = new_lines;
    }
    result.job = std::move(job);
    return result;
}

AwaitOutcome outcome(EndedBy ended_by, std::vector<AwaitedJob> jobs,
                     std::chrono::milliseconds waited) {
    AwaitOutcome result;
    result.ended_by = ended_by;
    result.jobs = std::move(jobs);
    result.wait.waited = waited;
    for (const AwaitedJob& job : result.jobs) {
        if (bgshell::keeper::is_ended(job.job.row.state)) ++result.ended_count;
    }
    return result;
}

MatchReport match(std::uint64_t line, const std::string& text) {
    MatchReport report;
    report.matched = true;
    report.match.line = line;
    report.match.at = 4120;
    report.match.text = text;
    return report;
}

}  // namespace

TEST_CASE("await: the time has passed, which is no error") {
    AwaitedJob job = awaited(running("k3f9x0ab", "api tests", 47s), 118);
    job.last_line = "tests/test_login.py ......F.. [ 41%]";
    const Answer answer = render_await(outcome(EndedBy::time, {job}, 45s), kPlain);
    CHECK(text_of(answer) ==
          "k3f9x0ab \"api tests\" running 47 s of 30 min, +118 lines (waited 45 s)\n"
          "last line (untrusted): \"tests/test_login.py ......F.. [ 41%]\"");
    CHECK_FALSE(answer.is_error);
    CHECK(answer.structure.at("ended_by").as_string() == "time");
    CHECK(answer.structure.at("waited_ms").as_int64() == 45000);
}

TEST_CASE("await: a matching line") {
    AwaitedJob job = awaited(running("k3f9x0ab", "web", 12min, 24h));
    printed(job.job, 9000);
    job.job.last_output_age = std::nullopt;
    job.job.row.ready = true;
    job.match = match(214, "[12:04:11] Found 3 errors. Watching for file changes.");
    AwaitOutcome told = outcome(EndedBy::match, {job}, 8s);
    CHECK(text_of(render_await(told, kPlain)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, ready; wait_for matched line 214\n"
          "line 214 (untrusted): \"[12:04:11] Found 3 errors. Watching for file changes.\"");

    told.jobs[0].match->before = {"src/a.ts(3,1): error", "src/b.ts(9,2): error"};
    told.jobs[0].match->age = 3min;
    CHECK(text_of(render_await(told, kPlain)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, ready; wait_for matched line 214, printed 3 "
          "min ago\n"
          "line 212 (untrusted): \"src/a.ts(3,1): error\"\n"
          "line 213 (untrusted): \"src/b.ts(9,2): error\"\n"
          "line 214 (untrusted): \"[12:04:11] Found 3 errors. Watching for file changes.\"");
}

TEST_CASE("await: a match that was shown before is no match") {
    AwaitedJob job = awaited(running("k3f9x0ab", "web", 12min, 24h), 4);
    MatchReport report;
    report.shown_before = true;
    report.match.line = 14;
    report.pattern_literal = true;
    job.match = report;
    CHECK(text_of(render_await(outcome(EndedBy::time, {job}, 45s), kPlain)) ==
          "k3f9x0ab \"web\" running 12 min of 24 h, +4 lines (waited 45 s)\n"
          "wait_for has no new match; last match line 14, shown before\n"
          "wait_for is no valid RE2: taken literally");
}

TEST_CASE("await: silence") {
    AwaitedJob job = awaited(running("k3f9x0ab", "repl", 20s), 40);
    job.job.last_output_age = 5s;
    CHECK(text_of(render_await(outcome(EndedBy::quiet, {job}, 12s), kPlain)) ==
          "k3f9x0ab \"repl\" running 20 s of 30 min, +40 lines; quiet for 5 s (waited 12 s)");
}

TEST_CASE("await: the bad end of one job is an error, of several it is not") {
    AwaitedJob lint = awaited(failed("m7q2a7c3", "lint", 12400ms, 1));
    printed(lint.job, 9);
    lint.ended_now = true;
    lint.view = whole("a.c:1: x\n");
    const Answer one = render_await(outcome(EndedBy::exit, {lint}, 12400ms), kPlain);
    CHECK(one.is_error);
    CHECK(text_of(one) ==
          "m7q2a7c3 \"lint\" failed, exit code 1, after 12.4 s\n"
          "output (untrusted):\n"
          "a.c:1: x");

    const Answer several =
        render_await(outcome(EndedBy::exit,
                             {lint, awaited(running("k3f9x0ab", "build", 15s), 40),
                              awaited(running("w9t40zrb", "types", 14s))},
                             12400ms),
                     kPlain);
    CHECK_FALSE(several.is_error);
    CHECK(text_of(several) ==
          "1 of 3 ended (waited 12.4 s)\n"
          "m7q2a7c3 \"lint\" failed, exit code 1, after 12.4 s\n"
          "k3f9x0ab \"build\" running 15 s of 30 min, +40 lines\n"
          "w9t40zrb \"types\" running 14 s of 30 min, no output yet (0 bytes)\n"
          "[x7q2] m7q2a7c3 output (untrusted):\n"
          "a.c:1: x");
    CHECK(several.stated.size() == 1);
}

TEST_CASE("await: an exit code that means nothing found is no error") {
    AwaitedJob job = awaited(failed("k3f9x0ab", "look", 1s, 1));
    job.job.row.spec.command = "rg needle src";
    job.ended_now = true;
    const Answer answer = render_await(outcome(EndedBy::exit, {job}, 1s), kPlain);
    CHECK_FALSE(answer.is_error);
    CHECK(text_of(answer) ==
          "k3f9x0ab \"look\" failed, exit code 1 (rg: nothing found), after 1 s, no output");
}

TEST_CASE("await: a wait that the client's limit cut") {
    AwaitedJob job = awaited(running("k3f9x0ab", "train", 10min), 2);
    AwaitOutcome told = outcome(EndedBy::time, {job}, 50s);
    told.wait = {50s, true, 600s, 50s};
    CHECK(text_of(render_await(told, kPlain))
              .starts_with(
                  "k3f9x0ab \"train\" running 10 min of 30 min, +2 lines (waited 50 s of 600 s: "
                  "your client ends longer calls; await again)"));
}

TEST_CASE("await: nothing to wait for") {
    AwaitOutcome told;
    told.nothing_to_wait_for = true;
    CHECK(text_of(render_await(told, kPlain)) ==
          "No job is running. To pause, start {\"command\":\"sleep 30\",\"wait_s\":35}");
    told.services_running = 2;
    CHECK(text_of(render_await(told, kPlain)) ==
          "No job is running except 2 services (list). To pause, start "
          "{\"command\":\"sleep 30\",\"wait_s\":35}");
}

TEST_CASE("await: the progress of a bar is no full line") {
    AwaitedJob job = awaited(running("k3f9x0ab", "", 15s));
    job.job.row.spec.command = "cd web && export CI=1 && npm install\nnpm run build";
    printed(job.job, 812);
    job.job.unread_bytes = 812;
    job.job.unread_lines = 0;
    CHECK(
        text_of(render_await(outcome(EndedBy::time, {job}, 15s), kPlain)) ==
        "k3f9x0ab \"npm install\" running 15 s of 30 min, +812 bytes, no full line (waited 15 s)");
    job.job.unread_lines.reset();  // too much to count
    CHECK(text_of(render_await(outcome(EndedBy::time, {job}, 15s), kPlain)) ==
          "k3f9x0ab \"npm install\" running 15 s of 30 min, +812 bytes (waited 15 s)");
}

TEST_CASE("await: hints use the published names of tools") {
    Manner manner;
    manner.prefix = "job_";
    AwaitOutcome told;
    told.nothing_to_wait_for = true;
    told.services_running = 1;
    CHECK(text_of(render_await(told, manner)) ==
          "No job is running except 1 service (job_list). To pause, job_start "
          "{\"command\":\"sleep 30\",\"wait_s\":35}");
}
