// Stopping a job: everything below it goes, politely first.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <csignal>

#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

namespace {

// Cancels once the job has printed "up", and checks that nothing is left of it.
Stopped cancel_all(ScratchJob& job, std::chrono::milliseconds grace) {
    job.start();
    job.await_content("log", "up\n");
    const auto stopped = job.cancel(SIGTERM, grace);
    CHECK(stopped.survivors.empty());
    CHECK(job.marked().empty());
    const auto record = job.await_end();
    CHECK(record.state == JobState::cancelled);
    CHECK(record.reason == "user");
    job.await_unlocked();
    return stopped;
}

}  // namespace

TEST_CASE("cancel ends grandchildren below an intermediate shell") {
    ScratchJob job{"sh -c 'sh -c \"sleep 300 & sleep 300 & echo up; wait\" & wait'"};
    const auto stopped = cancel_all(job, 5s);
    CHECK(stopped.gone == 5);
    CHECK(stopped.killed == 0);
    CHECK(stopped.elapsed_ms < 5000);
    CHECK_FALSE(stopped.had_ended);
}

TEST_CASE("cancel is cancelled, by the signal that was observed") {
    ScratchJob job{"echo up; exec sleep 300"};
    job.start();
    job.await_content("log", "up\n");
    job.birth().send(
        Cancel{.signal = SIGINT, .grace_ms = 1000, .reason = "user", .by_person = true});
    const auto record = job.await_end();
    CHECK(record.state == JobState::cancelled);
    CHECK(record.signal == SIGINT);
    CHECK(record.by_person);
}

TEST_CASE("a trap has its time to clean up") {
    ScratchJob job{"trap 'echo cleaned > $T/c; exit 143' TERM; echo up; sleep 300 & wait"};
    const auto stopped = cancel_all(job, 3s);
    CHECK(job.read("c") == "cleaned\n");
    CHECK(stopped.killed == 0);
    CHECK(decode_exit(job.read("exit.json"))->exit_code == 143);
}

TEST_CASE("each process gets the polite signal once") {
    ScratchJob job{
        "trap 'echo int >> $T/n' INT; echo up; for i in 1 2 3 4 5 6; do sleep 0.1 & wait $!; done;"
        "sleep 0.3"};
    job.start();
    job.await_content("log", "up\n");
    auto other = job.connect();
    for (int i = 0; i < 3; ++i) {
        const Cancel cancel{.signal = SIGINT, .grace_ms = 10'000, .reason = "user"};
        job.birth().send(cancel);
        other.send(cancel);
    }
    job.await_end();
    CHECK(job.read("n") == "int\n");
}

TEST_CASE("what ignores the polite signal is killed after the grace") {
    ScratchJob job{"trap '' TERM INT HUP; echo up; while :; do sleep 1; done"};
    const auto stopped = cancel_all(job, 300ms);
    CHECK(stopped.killed >= 1);
    CHECK(stopped.elapsed_ms >= 300);
    CHECK(stopped.elapsed_ms < 1500);
    CHECK(decode_exit(job.read("exit.json"))->signal == SIGKILL);
}

TEST_CASE("a stopped job sees the polite signal") {
    ScratchJob job{"trap 'exit 9' TERM; echo up; kill -STOP $$"};
    const auto stopped = cancel_all(job, 5s);
    CHECK(stopped.killed == 0);
    CHECK(decode_exit(job.read("exit.json"))->exit_code == 9);
}

TEST_CASE("a later cancel with less patience wins") {
    ScratchJob job{"trap '' TERM; echo up; while :; do sleep 1; done"};
    job.start();
    job.await_content("log", "up\n");
    auto other = job.connect();
    other.send(Cancel{.signal = SIGTERM, .grace_ms = 60'000, .reason = "user"});
    CHECK(job.cancel(SIGKILL, 0ms).survivors.empty());
    CHECK(other.take<Stopped>().survivors.empty());
}

TEST_CASE("the runtime limit ends a cancel that is too patient") {
    ScratchJob job{"trap '' TERM; echo up; while :; do sleep 0.1; done"};
    job.order.runtime_limit_ms = 800;
    job.order.kill_grace_ms = 100;
    const auto stopped = cancel_all(job, 60s);
    CHECK(stopped.killed >= 1);
    CHECK(stopped.elapsed_ms < 5000);
}

TEST_CASE("no process of a hostile tree survives a cancel") {
    for (int run = 0; run < 5; ++run) {
        ScratchJob job{R"(
            (setsid sh -c 'trap "" TERM; while :; do sleep 1; done' &)   # own session, orphan
            setsid sleep 300 &
            python3 -c '
import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
time.sleep(300)'                                                         # daemon
            python3 -c '
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:                      # forks and exits every 2 ms, each time in a new session
    time.sleep(0.002)
    if os.fork(): os._exit(0)
    os.setsid()' &
            for i in $(seq 10); do sleep 300 & done
            echo up
            wait
        )"};
        const auto stopped = cancel_all(job, 100ms);
        CHECK(stopped.killed >= 1);
        CHECK(stopped.elapsed_ms < 1000);
    }
}

TEST_CASE("a fork bomb in the job's session ends within two seconds") {
    ScratchJob job{R"(exec python3 -c '
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
leader = os.getpid()
for i in range(600):
    if os.fork() == 0:
        time.sleep(300)
print("up", flush=True)
while True:
    if os.fork() == 0: os._exit(0)
    os.wait()'
    )"};
    const auto stopped = cancel_all(job, 100ms);
    CHECK(stopped.gone >= 601);
    CHECK(stopped.elapsed_ms < 2100);
}

TEST_CASE("cancel names the ports that the job listened on, and frees them") {
    ScratchJob job{R"(exec python3 -c '
import os, socket, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
open(os.environ["T"] + "/port", "w").write(str(s.getsockname()[1]))
print("up", flush=True)
time.sleep(300)'
    )"};
    const auto stopped = cancel_all(job, 5s);
    const auto port = static_cast<std::uint16_t>(std::stoi(job.read("port")));
    CHECK(stopped.ports == std::vector<std::uint16_t>{port});
    const bgshell::platform::UniqueFd probe{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0);
}

TEST_CASE("a shell that is dead before the cancel has ended by itself") {
    for (int run = 0; run < 20; ++run) {
        // A leftover keeps the keeper there for the cancel.
        ScratchJob job{"sleep 1 >/dev/null 2>&1 & exit 5"};
        job.start();
        job.birth().send(Cancel{.signal = SIGTERM, .grace_ms = 1000, .reason = "user"});
        const auto record = job.await_end();
        // Whoever was first, it is one thing and all of it.
        if (record.state == JobState::failed) {
            CHECK(record.exit_code == 5);
            CHECK(record.reason.empty());
        } else {
            CHECK(record.state == JobState::cancelled);
        }
    }
}
