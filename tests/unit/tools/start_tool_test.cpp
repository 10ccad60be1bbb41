#include "tools/start_tool.hpp"

#include <doctest/doctest.h>

#include <csignal>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::StartedJob;

namespace {

Answer render(const StartedJob& started, const Manner& manner = kPlain) {
    return render_start(started, manner);
}

StartedJob ended_with(JobSnapshot job, const std::string& output) {
    StartedJob started;
    printed(job, output.size());
    started.job = std::move(job);
    started.view = whole(output);
    return started;
}

StartedJob first_running(JobSnapshot job) {
    StartedJob started;
    started.job = std::move(job);
    started.first_running = true;
    started.slots_used = 3;
    started.slots = 16;
    return started;
}

}  // namespace

TEST_CASE("start: a command that ended is a complete answer") {
    const Answer answer = render(ended_with(succeeded("k3f9x0ab", "", 200ms), "v22.11.0\n"));
    CHECK(text_of(answer) ==
          "k3f9x0ab succeeded after 0.2 s\n"
          "output (untrusted):\n"
          "v22.11.0");
    CHECK_FALSE(answer.is_error);
    CHECK(answer.stated.size() == 1);
}

TEST_CASE("start: no output is said on line 1") {
    CHECK(text_of(render(ended_with(succeeded("k3f9x0ab", "", 100ms), ""))) ==
          "k3f9x0ab succeeded after 0.1 s, no output");
}

TEST_CASE("start: the path of a log that has rolled comes with its warning") {
    StartedJob started;
    started.job = succeeded("k3f9x0ab", "api tests", 352s);
    printed(started.job, 96210);
    bgshell::jobs::OutputView view;
    view.range = {0, 96210};
    view.text = "1 failed\n";
    view.omitted = {{{3990, 92300}, 7, 0, false}};
    view.rolled = true;
    started.view = view;
    const std::string warned =
        std::string{"\nlog "} + kLog + " (rolled, with holes: read it with output)\n";
    CHECK(text_of(render(started)).find(warned) != std::string::npos);
    started.view.reset();
    started.job = running("k3f9x0ab", "api tests", 40s);
    started.first_running = true;
    printed(started.job, started.job.row.spec.output_limit_bytes + 1);
    CHECK(text_of(render(started)).find("(rolled, with holes") != std::string::npos);
}

TEST_CASE("start: a failure with long output") {
    StartedJob started;
    started.job = failed("k3f9x0ab", "api tests", 352s, 1);
    printed(started.job, 96210);
    bgshell::jobs::OutputView view;
    view.range = {0, 96210};
    view.text = "collected 312 items\n1 failed\n";
    view.omitted = {{{3990, 92300}, 1071, 20}};
    view.omitted_bytes = 88310;
    started.view = view;
    const Answer answer = render(started);
    CHECK(text_of(answer) ==
          std::string{"k3f9x0ab failed, exit code 1, after 5 min 52 s\n"
                      "log "} +
              kLog +
              "\n"
              "next: output {\"id\":\"k3f9x0ab\",\"grep\":\"FAIL|Error\"}\n"
              "output (untrusted), bytes 0-96210, omitted 3990-92300 (1071 lines):\n"
              "collected 312 items\n"
              "[... 3990-92300 omitted ...]\n"
              "1 failed");
    CHECK(answer.is_error);
}

TEST_CASE("start: exit 127 of a shell function") {
    StartedJob started = ended_with(failed("k3f9x0ab", "", 100ms, 127), "nvm: command not found\n");
    started.job.row.spec.command = "cd web && nvm use 22";
    started.job.row.cwd_given = false;
    CHECK(text_of(render(started)) ==
          "k3f9x0ab failed, exit code 127, after 0.1 s\n"
          "cwd /home/user/api\n"
          "next: nvm is a shell function: put \". ~/.nvm/nvm.sh &&\" before it (direnv: \"direnv "
          "exec . "
          "CMD\")\n"
          "output (untrusted):\n"
          "nvm: command not found");
}

TEST_CASE("start: still running") {
    StartedJob started = first_running(running("k3f9x0ab", "tests", 2s));
    started.job.row.cwd_given = false;
    CHECK(
        text_of(render(started)) ==
        std::string{"k3f9x0ab running 2 s of 30 min, no output yet (0 bytes)\n"
                    "pid 41522, cwd /home/user/api, 3 of 16 slots, log "} +
            kLog +
            "\n"
            "next: do other work, then await {}; nothing wakes you. It is stopped at 30 min: send "
            "{\"id\":\"k3f9x0ab\",\"runtime_limit_s\":N} gives it more");
}

TEST_CASE("start: a client that moves long calls to the background can be woken") {
    Manner manner;
    manner.background = true;
    manner.wait_ceiling = 25min;
    const std::string text = text_of(render(first_running(running("k3f9x0ab", "", 2s)), manner));
    CHECK(text.find(
              "to be woken at its end: await {\"ids\":[\"k3f9x0ab\"],\"wait_s\":1500}, it moves to "
              "the background") != text.npos);
    CHECK(text.find("nothing wakes you") == text.npos);
}

TEST_CASE("start: a running job shows its last line, quoted") {
    StartedJob started = first_running(running("k3f9x0ab", "", 2s));
    printed(started.job, 40);
    started.job.unread_bytes = 40;
    started.job.unread_lines = 3;
    started.last_line = "pid 1 \"x\"\tdone";
    const std::string text = text_of(render(started));
    CHECK(text.starts_with("k3f9x0ab running 2 s of 30 min, +3 lines\n"));
    CHECK(text.ends_with("\nlast line (untrusted): \"pid 1 \\\"x\\\"\\tdone\""));
}

TEST_CASE("start: a server that became ready") {
    StartedJob started = first_running(running("k3f9x0ab", "web", 1900ms, 24h));
    started.slots_used = 4;
    started.ready = true;
    started.job.row.ready = true;
    printed(started.job, 28);
    started.view = whole("  VITE v7.1.2  ready in 812 ms\n");
    CHECK(text_of(render(started)) == std::string{"k3f9x0ab running 1.9 s of 24 h, ready\n"
                                                  "pid 41522, 4 of 16 slots, log "} +
                                          kLog +
                                          "\n"
                                          "output (untrusted):\n"
                                          "  VITE v7.1.2  ready in 812 ms");
}

TEST_CASE("start: not ready in time") {
    StartedJob started = first_running(running("k3f9x0ab", "web", 30s, 24h));
    started.not_ready = true;
    started.wait.waited = 30s;
    const std::string text = text_of(render(started));
    CHECK(text.find("\nnot ready after 30 s: no line matches wait_for\n") != text.npos);
}

TEST_CASE("start: facts on the arguments and the surroundings") {
    StartedJob started = first_running(running("k3f9x0ab", "web", 2s));
    started.same_command = running("m7q2a7c3", "web", 12min);
    started.reduced_output_limit = 4U << 20U;
    started.facts = {"no login PATH: zsh did not answer in 3 s"};
    const std::string text = text_of(render(started));
    CHECK(text.find("\nnote: m7q2a7c3 \"web\" runs the same command here since 12 min\n"
                    "output limit 4 MiB (budget nearly used)\n"
                    "no login PATH: zsh did not answer in 3 s\n") != text.npos);
}

TEST_CASE("start: a shortened wait is said, unless it ended before") {
    StartedJob started = first_running(running("k3f9x0ab", "", 45s));
    started.wait = {45s, true, 50s, 45s};
    CHECK(text_of(render(started))
              .find("(waited 45 s of 50 s: your client ends longer calls; await "
                    "again)\n") != std::string::npos);
    started.wait.waited = 3s;
    started.ready = true;
    CHECK(text_of(render(started)).find("your client") == std::string::npos);
}

TEST_CASE("start: a reused key runs nothing, and says so on line 1") {
    StartedJob started;
    started.job = running("k3f9x0ab", "", 70s);
    started.reused = true;
    const Answer answer = render(started);
    CHECK(
        text_of(answer) ==
        "k3f9x0ab REUSED, nothing was run: running 1 min 10 s of 30 min, no output yet (0 bytes)");
    CHECK(answer.structure.at("reused").as_bool());
}

TEST_CASE("start: leftovers are named, and how long they may live") {
    StartedJob started = ended_with(succeeded("k3f9x0ab", "", 10s), "done\n");
    started.job.leftover_count = 1;
    started.job.leftovers = {{41544, "sleep 30", ""}};
    started.job.ended_age = 50s;
    CHECK(text_of(render(started)) ==
          "k3f9x0ab succeeded after 10 s, 1 leftover process\n"
          "left over: 41544 \"sleep 30\"; stopped by cancel, with the session or at the limit in "
          "29 min\n"
          "output (untrusted):\n"
          "done");
}

TEST_CASE("start: how a job can end") {
    const auto line_of = [](const JobSnapshot& job) {
        const std::string text = text_of(render(ended_with(job, "")));
        return text.substr(0, text.find('\n'));
    };
    JobSnapshot job = failed("k3f9x0ab", "", 100ms, 1);
    job.row.spec.command = "grep foo *.c";
    CHECK(line_of(job) ==
          "k3f9x0ab failed, exit code 1 (grep: nothing found), after 0.1 s, no output");
    CHECK_FALSE(render(ended_with(job, "")).is_error);

    job = failed("k3f9x0ab", "", 3s, 143);
    CHECK(
        line_of(job) ==
        "k3f9x0ab failed, exit code 143 (perhaps its last command died by SIGTERM), after 3 s, no "
        "output");

    job = ended("k3f9x0ab", "", JobState::failed, 3s);
    job.row.exit->signal = SIGSEGV;
    CHECK(line_of(job) == "k3f9x0ab failed, SIGSEGV, after 3 s, no output");
    job.row.exit->signal = SIGKILL;
    CHECK(line_of(job) == "k3f9x0ab failed, SIGKILL by an unknown sender, after 3 s, no output");
    job.row.exit->out_of_memory = true;
    CHECK(line_of(job) ==
          "k3f9x0ab failed, out of memory (SIGKILL by the kernel), after 3 s, no output");
    CHECK(render(ended_with(job, "")).is_error);

    job = ended("k3f9x0ab", "", JobState::failed, 0s);
    job.row.exit->error = "posix_spawn /bin/bash: Permission denied";
    CHECK(line_of(job) ==
          "k3f9x0ab failed to start: posix_spawn /bin/bash: Permission denied, no output");

    CHECK(line_of(ended("k3f9x0ab", "", JobState::timed_out, 30min)) ==
          "k3f9x0ab timed out: stopped at its limit of 30 min, no output");
    CHECK(render(ended_with(ended("k3f9x0ab", "", JobState::timed_out, 30min), "")).is_error);

    job = ended("k3f9x0ab", "", JobState::output_limit, 41300ms);
    StartedJob flood = ended_with(job, "y\n");
    flood.job.bytes_produced = 33554432;
    CHECK(text_of(render(flood))
              .starts_with("k3f9x0ab output limit: stopped after 33554432 bytes, after 41.3 s\n"));

    CHECK(line_of(ended("k3f9x0ab", "", JobState::lost, 3s)) ==
          "k3f9x0ab lost: its keeper vanished, exit unknown, no output");

    job = ended("k3f9x0ab", "", JobState::cancelled, 40s);
    job.row.exit->reason = "user";
    CHECK(line_of(job) == "k3f9x0ab cancelled after 40 s, no output");
    CHECK_FALSE(render(ended_with(job, "")).is_error);
    job.row.exit->by_person = true;
    CHECK(line_of(job) == "k3f9x0ab cancelled by the user after 40 s, no output");

    job = succeeded("k3f9x0ab", "", 40s);
    job.row.exit->capture_complete = false;
    job.row.exit->capture_cause = "No space left on device";
    CHECK(line_of(job) ==
          "k3f9x0ab succeeded after 40 s, capture incomplete: No space left on device, no output");
}

TEST_CASE("start: refused for slots, with those who hold them") {
    bgshell::jobs::StartRefusedSlots refused;
    refused.slots = 16;
    refused.running = {running("k3f9x0ab", "web", 2h + 4min, 24h),
                       running("m7q2a7c3", "lint", 40s)};
    for (JobSnapshot& job : refused.running) {
        printed(job, 10);
        job.last_output_age = std::nullopt;
    }
    const Answer answer = render_start(refused, kPlain);
    CHECK(text_of(answer) ==
          "Not started: all 16 slots are taken by your jobs:\n"
          "k3f9x0ab running 2 h 4 min of 24 h  \"web\"\n"
          "m7q2a7c3 running 40 s of 30 min  \"lint\"\n"
          "and 14 more\n"
          "next: await {} or cancel one");
    CHECK(answer.is_error);
}

TEST_CASE("start: refused for disk, with the call that frees most") {
    bgshell::jobs::StartRefusedBudget refused;
    refused.used_bytes = 1ULL << 30U;
    refused.budget_bytes = 1ULL << 30U;
    refused.removable = {bgshell::keeper::JobId::parse("k3f9x0ab").value(),
                         bgshell::keeper::JobId::parse("m7q2a7c3").value()};
    refused.removable_bytes = 190ULL << 20U;
    CHECK(
        text_of(render_start(refused, kPlain)) ==
        "Not started: your logs use 1024 of 1024 MiB. next: cancel "
        "{\"ids\":[\"k3f9x0ab\",\"m7q2a7c3\"],\"remove\":true} frees 190 MiB of ended, read logs");
}
