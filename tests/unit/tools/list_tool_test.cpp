#include "tools/list_tool.hpp"

#include <doctest/doctest.h>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::ListOutcome;

namespace {

ListOutcome sample() {
    ListOutcome outcome;
    JobSnapshot web = running("k3f9x0ab", "web", 2h + 4min, 24h);
    web.row.ready = true;
    printed(web, 100);
    web.unread_bytes = 60;
    web.unread_lines = 12;
    JobSnapshot rebase = running("m7q2a7c3", "rebase", 6min);
    printed(rebase, 100);
    rebase.last_output_age = 5min;
    JobSnapshot train = running("p0c4hm9d", "train", 41min, 12h);
    train.earlier_session = true;
    train.own = false;
    printed(train, 100);
    train.last_output_age = std::nullopt;
    JobSnapshot tests = failed("w9t40zrb", "api tests", 352s, 1);
    tests.ended_age = 3min;
    tests.unread_end = true;
    JobSnapshot lint = ended("t6jv81ne", "lint", JobState::cancelled, 40s);
    lint.row.exit->by_person = true;
    lint.ended_age = 9min;
    outcome.jobs = {web, rebase, train, tests, lint};
    outcome.running_total = 3;
    outcome.ended_total = 41;
    outcome.omitted = 39;
    outcome.slots = 16;
    outcome.slots_used = 3;
    outcome.disk_budget_bytes = 1ULL << 30U;
    outcome.disk_used_bytes = 31ULL << 20U;
    return outcome;
}

}  // namespace

TEST_CASE("list: one line a job, running ones first") {
    const Answer answer = render_list(sample(), kPlain);
    CHECK(text_of(answer) ==
          "3 running (3 of 16 slots), 2 of 41 ended; logs 31 of 1024 MiB\n"
          "k3f9x0ab running 2 h 4 min of 24 h, ready, +12 lines  \"web\"\n"
          "m7q2a7c3 running 6 min of 30 min, no new output for 5 min  \"rebase\"\n"
          "p0c4hm9d running 41 min of 12 h, earlier session  \"train\"\n"
          "w9t40zrb failed, exit code 1, after 5 min 52 s, 3 min ago, unread  \"api tests\"\n"
          "t6jv81ne cancelled by the user after 40 s, 9 min ago  \"lint\"");
    CHECK_FALSE(answer.is_error);
    CHECK(answer.stated.size() == 2);
    CHECK(answer.structure.at("totals").at("omitted").to_number<int>() == 39);
    CHECK(answer.structure.at("limits").at("slots").to_number<int>() == 16);
}

TEST_CASE("list: empty") {
    const Answer answer = render_list(ListOutcome{}, kPlain);
    CHECK(text_of(answer) == "No jobs. start {\"command\":\"…\"} runs one.");
    CHECK(answer.structure.at("jobs").as_array().empty());
    CHECK(answer.structure.contains("totals"));
    CHECK(answer.structure.contains("limits"));
}

TEST_CASE("list: details") {
    ListOutcome outcome = sample();
    outcome.details = true;
    outcome.jobs.resize(1);
    outcome.omitted = 0;
    CHECK(text_of(render_list(outcome, kPlain)) ==
          std::string{"k3f9x0ab \"web\" running 2 h 4 min of 24 h, ready, +12 lines\n"
                      "pid 41522, cwd /home/user/api, shell /bin/bash, log "} +
              kLog +
              "\n"
              "created 2026-11-30T12:04:11.250Z, limit 24 h, output 100 bytes of at most 33554432\n"
              "command: \"make\"");
}
