#include "tools/cancel_tool.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <csignal>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::CancelledJob;
using bgshell::jobs::CancelOutcome;
using bgshell::jobs::CancelRequest;
using bgshell::jobs::CancelResult;

namespace {

CancelledJob cancelled(const std::string& id, const std::string& title) {
    CancelledJob result;
    result.job = ended(id, title, JobState::cancelled, 12min + 4s);
    result.signal_sent = SIGTERM;
    return result;
}

Answer render(const std::vector<CancelledJob>& jobs, const CancelRequest& request = {}) {
    CancelOutcome outcome;
    outcome.jobs = jobs;
    return render_cancel(outcome, request, kPlain);
}

}  // namespace

TEST_CASE("cancel: all gone, the port free") {
    CancelledJob job = cancelled("k3f9x0ab", "web");
    job.gone = 3;
    job.took = 400ms;
    job.ports_free = {3000};
    const Answer answer = render({job});
    CHECK(text_of(answer) ==
          "k3f9x0ab \"web\" cancelled after 12 min 4 s: 3 processes gone in 0.4 s (TERM), port "
          "3000 free");
    CHECK_FALSE(answer.is_error);
    const auto& structure = answer.structure.at("jobs").as_array().at(0).as_object();
    CHECK(structure.at("outcome").as_string() == "ended");
    CHECK(structure.at("signal_sent").as_string() == "SIGTERM");
    CHECK_FALSE(structure.contains("escalated"));
}

TEST_CASE("cancel: some only went by KILL") {
    CancelledJob job = cancelled("k3f9x0ab", "web");
    job.gone = 5;
    job.killed = 2;
    job.escalated = true;
    job.took = 5100ms;
    job.ports_free = {3000, 3001};
    CHECK(text_of(render({job})) ==
          "k3f9x0ab \"web\" cancelled after 12 min 4 s: 5 processes gone, 2 of them by KILL after "
          "5 s, "
          "ports 3000 3001 free");
    job.took = 1400ms;  // an earlier cancel had so much of its grace left
    CHECK(text_of(render({job})).find("2 of them by KILL after 1.4 s,") != std::string::npos);
}

TEST_CASE("cancel: a survivor is an error that names it") {
    CancelledJob job = cancelled("k3f9x0ab", "db");
    job.result = CancelResult::survivors;
    job.survivors = {{41544, "postgres", "postgres", bgshell::keeper::Survival::refused}};
    job.ports_in_use = {5432};
    const Answer answer = render({job});
    CHECK(text_of(answer) ==
          "k3f9x0ab \"db\" cancelled after 12 min 4 s, but 1 process survives:\n"
          "41544 postgres, user postgres: not permitted to signal it; holds port 5432\n"
          "next: ask the user to end it: sudo kill 41544");
    CHECK(answer.is_error);
}

TEST_CASE("cancel: says why a survivor lives, and asks for what the user can do") {
    CancelledJob job = cancelled("k3f9x0ab", "db");
    job.result = CancelResult::survivors;
    job.survivors = {{31, "cp a b", "user", bgshell::keeper::Survival::in_kernel},
                     {32, "make", "user", bgshell::keeper::Survival::unknown}};
    const std::string both =
        "k3f9x0ab \"db\" cancelled after 12 min 4 s, but 2 processes survive:\n"
        "31 cp a b, user user: waits in the kernel, as on a disk, and ends when that is over\n"
        "32 make, user user: still there after KILL";
    CHECK(text_of(render({job})) == both);
    job.survivors.push_back({33, "sudo x", "root", bgshell::keeper::Survival::refused});
    CHECK(text_of(render({job}))
              .ends_with("\n33 sudo x, user root: not permitted to signal it\n"
                         "next: ask the user to end it: sudo kill 33"));
}

TEST_CASE("cancel: of a lost job says that nothing was stopped") {
    CancelledJob job;
    job.job = ended("m7q2a7c3", "lint", JobState::lost, 40s);
    job.job.row.pid = 41522;
    job.result = CancelResult::already_ended;
    CHECK(text_of(render({job})) ==
          "m7q2a7c3 \"lint\" was already lost: its keeper vanished, exit unknown; nothing was "
          "stopped: what it started may still run (its shell was pid 41522)");
}

TEST_CASE("cancel: a keeper that does not answer proves nothing") {
    CancelledJob job;
    job.job = running("k3f9x0ab", "db", 12min);
    job.result = CancelResult::survivors;
    const Answer answer = render({job});
    CHECK(answer.is_error);
    CHECK(text_of(answer) ==
          "k3f9x0ab \"db\" running 12 min of 30 min, but its keeper did not answer: nothing is "
          "proven to "
          "be gone");
}

TEST_CASE("cancel: of an ended job stops what that left running") {
    CancelledJob job;
    job.job = failed("m7q2a7c3", "lint", 12400ms, 1);
    job.result = CancelResult::leftovers_ended;
    job.gone = 1;
    CHECK(
        text_of(render({job})) ==
        "m7q2a7c3 \"lint\" had already failed, exit code 1, after 12.4 s; 1 leftover process gone");
    job.gone = 0;
    CHECK(
        text_of(render({job})) ==
        "m7q2a7c3 \"lint\" had already failed, exit code 1, after 12.4 s; nothing of it was left");
    job.result = CancelResult::already_ended;
    job.job = ended("m7q2a7c3", "lint", JobState::cancelled, 40s);
    CancelRequest request;
    request.remove = true;
    job.removed = true;
    CHECK(text_of(render({job}, request)) ==
          "m7q2a7c3 \"lint\" was already cancelled after 40 s, record and log removed");
    job.removed = false;
    job.log_removed = true;
    job.removal_failure = "The registry is locked.";
    CHECK(text_of(render({job}, request)) ==
          "m7q2a7c3 \"lint\" was already cancelled after 40 s, log removed, record kept: The "
          "registry is locked.");
}

TEST_CASE("cancel: leftovers that nobody watches are named, and nothing is claimed") {
    CancelledJob job;
    job.job = succeeded("m7q2a7c3", "lint", 12400ms);
    job.job.row.settled = true;
    job.job.leftover_count = 2;
    job.job.leftovers = {{41522, "sleep 300", "", {}}, {41523, "sleep 301", "", {}}};
    job.result = CancelResult::already_ended;
    CHECK(
        text_of(render({job})) ==
        "m7q2a7c3 \"lint\" had already succeeded after 12.4 s; nothing was stopped: its keeper is "
        "gone, and 2 leftover processes may still run, watched by nobody: pid 41522, 41523");
}

TEST_CASE("cancel: several, with their last lines") {
    CancelledJob web = cancelled("k3f9x0ab", "web");
    web.gone = 1;
    web.took = 100ms;
    web.last_lines = "GET /\n";
    CancelledJob lint = cancelled("m7q2a7c3", "lint");
    lint.gone = 1;
    lint.took = 100ms;
    CHECK(text_of(render({web, lint})) ==
          "k3f9x0ab \"web\" cancelled after 12 min 4 s: 1 process gone in 0.1 s (TERM)\n"
          "m7q2a7c3 \"lint\" cancelled after 12 min 4 s: 1 process gone in 0.1 s (TERM)\n"
          "[x7q2] k3f9x0ab last lines (untrusted):\n"
          "GET /");
}

TEST_CASE("cancel: without ids is an error, never all") {
    const boost::json::value none = boost::json::parse("{}");
    const auto request = read_cancel(Arguments{none.as_object()}, kPlain);
    REQUIRE(request.has_error());
    CHECK(request.error().text() ==
          "ids is required: the jobs to stop; there is no \"all\". list {} shows them. Nothing was "
          "stopped.");
}

TEST_CASE("cancel: arguments") {
    const boost::json::value given =
        boost::json::parse(R"({"ids":["a"],"signal":"INT","grace_s":1.5,"remove":true})");
    const auto request = read_cancel(Arguments{given.as_object()}, kPlain);
    REQUIRE(request.has_value());
    CHECK(request->signal == SIGINT);
    CHECK(request->grace == 1500ms);
    CHECK(request->remove);
}
