// Starting a job, and how it ends.
#include <csignal>

#include "platform/process_tree.hpp"
#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

TEST_CASE("a job that exits 0 succeeds, with all its output") {
    ScratchJob job{"echo out; echo err >&2"};
    const auto record = job.run();
    CHECK(record.state == JobState::succeeded);
    CHECK(record.exit_code == 0);
    CHECK_FALSE(record.signal.has_value());
    CHECK(job.log() == "out\nerr\n");
    CHECK(record.bytes_at_end == 8);
    CHECK(record.bytes_produced == 8);
    CHECK(record.bytes_stored == 8);
    CHECK(record.capture_complete);
    CHECK(record.leftover_count == 0);

    job.await_unlocked();
    CHECK_FALSE(job.exists("exit.tmp"));
    CHECK_FALSE(job.exists("after.json"));  // nothing came after the end
}

TEST_CASE("an exit code is a failure, also one that looks like a signal") {
    for (const int code : {1, 3, 127, 143, 255}) {
        ScratchJob job{"exit " + std::to_string(code)};
        const auto record = job.run();
        CHECK(record.state == JobState::failed);
        CHECK(record.exit_code == code);
        CHECK_FALSE(record.signal.has_value());
    }
}

TEST_CASE("death by a signal is never an exit code") {
    for (const int signal : {SIGKILL, SIGSEGV, SIGXCPU, SIGTERM}) {
        ScratchJob job{"kill -" + std::to_string(signal) + " $$"};
        const auto record = job.run();
        CHECK(record.state == JobState::failed);
        CHECK(record.signal == signal);
        CHECK_FALSE(record.exit_code.has_value());
        CHECK_FALSE(record.out_of_memory);
    }
}

TEST_CASE("a signal to the job's own group reaches nobody else") {
    for (const char* name : {"TERM", "INT"}) {
        ScratchJob other{"sleep 60"};
        other.start();
        ScratchJob job{"kill -" + std::string{name} + " 0; sleep 5"};
        CHECK(job.run().signal.has_value());
        CHECK_FALSE(other.birth().poll<Ended>().has_value());
    }
}

TEST_CASE("a shell that cannot be executed is a failed start with a record") {
    ScratchJob job{"true"};
    job.order.program = "/nonexistent/shell";
    job.send_start();
    const auto failure = job.birth().take<StartFailed>();
    CHECK(failure.error == ENOENT);
    CHECK(failure.what == "run /nonexistent/shell");
    const auto record = job.birth().take<Ended>().record;
    CHECK(record.state == JobState::failed);
    CHECK(record.error == "run /nonexistent/shell: No such file or directory");
    CHECK_FALSE(record.exit_code.has_value());
    job.await_unlocked();
    CHECK(decode_exit(job.read("exit.json"))->error == record.error);
}

TEST_CASE("a keeper that is never used leaves with the front end") {
    auto socket = spawn_idle_keeper();
    const pid_t pid = socket.take<Hello>().pid;
    CHECK(::kill(pid, 0) == 0);
    socket.close();
    await(
        [&] {
            const auto facts = bgshell::platform::process_facts(pid);
            return !facts || !facts->alive();
        },
        "the spare keeper leaves");
}
