// What the job's shell finds itself in.
#include <csignal>

#include "platform/process_tree.hpp"
#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

TEST_CASE("a job has descriptors 0, 1 and 2 and no others") {
    ScratchJob job{"exec ls /proc/self/fd"};
    job.run();
    CHECK(job.log() == "0\n1\n2\n3\n");  // 3 is the directory that ls lists
}

TEST_CASE("a job leads a session of its own, without a terminal") {
    ScratchJob job{"cut -d' ' -f1,5,6,7 /proc/$$/stat"};
    job.run();
    const std::string log = job.log();
    const std::string pid = log.substr(0, log.find(' '));
    CHECK(log == pid + " " + pid + " " + pid + " 0\n");
}

TEST_CASE("a job has no ignored and no blocked signals") {
    ScratchJob job{
        "grep -E '^Sig(Blk|Ign)' /proc/self/status; yes | head -n1; echo ${PIPESTATUS[0]}"};
    job.run();
    CHECK(job.log() == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\ny\n141\n");
}

TEST_CASE("a job has its environment and nothing else, its directory and its limit of open files") {
    ScratchJob job{
        "pwd -P; ulimit -Sn; ulimit -Hn; env -0 -u PWD -u SHLVL -u _ | LC_ALL=C sort -z | tr '\\0' "
        "';'"};
    job.order.environment.push_back("A=1\n2");
    job.order.open_files_soft = 100;
    job.order.open_files_hard = 200;
    job.run();
    CHECK(job.log() == job.path() + "\n100\n200\nA=1\n2;BGSHELL_TEST_JOB=" + job.path() +
                           ";PATH=/usr/local/bin:/usr/bin:/bin;T=" + job.path() + ";");
}

TEST_CASE("stdin is at its end from the start") {
    ScratchJob job{"cat; read x; echo rc=$?"};
    job.run();
    CHECK(job.log() == "rc=1\n");
}

TEST_CASE("the keeper's own environment and arguments say nothing of the job") {
    ScratchJob job{
        "tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' '\\n' </proc/$PPID/cmdline;"
        "cat /proc/$PPID/oom_score_adj"};
    job.run();
    CHECK(job.log().starts_with("bgshell-keeper\n"));
    CHECK(std::stoi(job.log().substr(job.log().find('\n'))) >= 200);
}

TEST_CASE("orphans are reaped while the job runs") {
    ScratchJob job{"for i in $(seq 50); do (sleep 0.01 &) ; done; echo started; sleep 60"};
    job.start();
    job.await_content("log", "started\n");
    const auto zombies = [&] {
        int count = 0;
        bgshell::platform::walk_below(job.keeper_pid(), [&](const auto& process) {
            if (!process.alive()) ++count;
            return true;
        });
        return count;
    };
    await([&] { return job.marked().size() == 2 && zombies() == 0; }, "the orphans are gone");
    CHECK_FALSE(job.birth().poll<Ended>().has_value());
}

TEST_CASE("bytes are stored as they come, half characters too") {
    ScratchJob job{
        "printf '\\342'; sleep 0.1; printf '\\211'; sleep 0.1; printf '\\244\\n\\0\\377'"};
    const auto record = job.run();
    CHECK(job.log() == std::string{"\342\211\244\n\0\377", 6});
    CHECK(record.bytes_produced == 6);
}

TEST_CASE("output of a command that ends at once is never lost") {
    for (int i = 0; i < 30; ++i) {
        ScratchJob job{"echo boom >&2; exit 3"};
        CHECK(job.run().exit_code == 3);
        CHECK(job.log() == "boom\n");
    }
}
