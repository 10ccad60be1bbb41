// Descendants that outlive the shell.
#include <csignal>

#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

namespace {

std::chrono::milliseconds elapsed_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

}  // namespace

TEST_CASE("a child that holds the pipe does not delay the end") {
    ScratchJob job{"sleep 30 & echo done"};
    const auto start = std::chrono::steady_clock::now();
    const auto record = job.run();
    CHECK(elapsed_since(start) < 2s);
    CHECK(elapsed_since(start) >= 100ms);
    CHECK(record.state == JobState::succeeded);
    CHECK(job.log() == "done\n");
    CHECK(record.leftover_count == 1);
    REQUIRE(record.leftovers.size() == 1);
    CHECK(record.leftovers[0].command == "sleep 30");
    CHECK(job.birth().take<Leftovers>().processes == record.leftovers);
    CHECK(job.locked());

    const auto stopped = job.cancel(SIGTERM, 5s);
    CHECK(stopped.had_ended);
    CHECK(stopped.gone == 1);
    CHECK(stopped.killed == 0);
    CHECK(job.birth().take<Leftovers>().processes.empty());
    const auto after = job.await_after();
    CHECK(after.leftovers_stopped_by == "cancel");
    REQUIRE(after.leftovers.size() == 1);
    CHECK(after.leftovers[0].process == record.leftovers[0]);
    CHECK(after.leftovers[0].fate == LeftoverFate::killed);
    CHECK(decode_exit(job.read("exit.json"))->state == JobState::succeeded);
}

TEST_CASE("a daemon of a job does not end it, and the job does not end the daemon") {
    ScratchJob job{"setsid sleep 1 >/dev/null 2>&1 </dev/null & echo a; sleep 0.3; echo b"};
    const auto record = job.run();
    CHECK(record.exit_code == 0);
    CHECK(job.log() == "a\nb\n");
    CHECK(record.leftover_count == 1);
    const auto after = job.await_after();
    CHECK(after.leftovers_stopped_by.empty());
    REQUIRE(after.leftovers.size() == 1);
    CHECK(after.leftovers[0].fate == LeftoverFate::exited);
}

TEST_CASE("a background child goes on after the end, and its output is captured") {
    ScratchJob job{"(sleep 0.4; echo late; echo file > $T/f) & echo early"};
    const auto record = job.run();
    CHECK(record.state == JobState::succeeded);
    CHECK(record.bytes_at_end == 6);
    CHECK(record.leftover_count == 2);  // the subshell and its sleep
    const auto after = job.await_after();
    CHECK(job.read("f") == "file\n");
    CHECK(job.log() == "early\nlate\n");
    CHECK(after.bytes_produced == 11);
    CHECK(after.bytes_stored == 11);
}

TEST_CASE("leftovers that print without pause end the job within a second, and go on") {
    ScratchJob job{"(while :; do echo x; sleep 0.02; done) & sleep 0.1"};
    const auto start = std::chrono::steady_clock::now();
    const auto record = job.run();
    CHECK(elapsed_since(start) >= 500ms);  // the job began before `start` was taken
    CHECK(elapsed_since(start) < 5s);
    CHECK(record.bytes_at_end == record.bytes_stored);
    await([&] { return job.log().size() > record.bytes_at_end + 10; }, "capture goes on");
    job.cancel(SIGTERM, 1s);
    CHECK(job.await_after().bytes_stored > record.bytes_at_end);
}

TEST_CASE("the runtime limit stops leftovers without changing the state") {
    ScratchJob job{"sleep 60 & exit 0"};
    job.order.runtime_limit_ms = 600;
    CHECK(job.run().state == JobState::succeeded);
    const auto after = job.await_after();
    CHECK(after.leftovers_stopped_by == "runtime limit");
    REQUIRE(after.leftovers.size() == 1);
    CHECK(after.leftovers[0].fate == LeftoverFate::killed);
    CHECK(job.marked().empty());
}

TEST_CASE("the output limit stops leftovers without changing the state") {
    ScratchJob job{"(sleep 0.3; exec yes) & exit 0"};
    job.order.output_limit_bytes = 64 * 1024;
    job.order.output_limit_mode = OutputLimitMode::stop;
    CHECK(job.run().state == JobState::succeeded);
    const auto after = job.await_after();
    CHECK(after.leftovers_stopped_by == "output limit");
    CHECK(after.bytes_stored == 64 * 1024);
    CHECK_FALSE(after.capture_complete);
    CHECK(job.log().size() == 64 * 1024);
}

TEST_CASE("a subscriber that comes after the end hears of it") {
    ScratchJob job{"sleep 60 & exit 4"};
    job.run();
    auto late = job.connect();
    late.send(Subscribe{});
    CHECK(late.take<Ended>().record.exit_code == 4);
    CHECK(late.take<Leftovers>().processes.size() == 1);
}
