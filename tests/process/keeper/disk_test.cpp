// A disk that is full.
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "process/keeper/scratch_job.hpp"
#include "support/tiny_disk.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;
using bgshell::test::TinyDisk;

TEST_CASE("a full disk ends the storing of output, not the job, and the record is written") {
    const TinyDisk disk{"size=256k"};
    if (!disk.usable()) return;
    ScratchJob job{"head -c 1000000 /dev/zero; exit 3", disk.path()};
    const auto record = job.run();
    CHECK(record.state == JobState::failed);
    CHECK(record.exit_code == 3);
    CHECK_FALSE(record.capture_complete);
    CHECK(record.capture_cause == "No space left on device");
    CHECK(record.bytes_produced == 1'000'000);
    CHECK(record.bytes_stored == job.log().size());
    CHECK(record.bytes_stored > 100'000);
}

TEST_CASE("a keeper whose directory was removed leaves with its job") {
    ScratchJob job{"echo up; exec sleep 300"};
    job.start();
    job.await_content("log", "up\n");
    std::filesystem::remove_all(job.path());
    CHECK(job.cancel(SIGTERM, 1s).survivors.empty());
    job.birth().await_close();
}

TEST_CASE("a disk that is full before the start is a failed start, recorded once there is space") {
    const TinyDisk disk{"size=64k"};
    if (!disk.usable()) return;
    ScratchJob job{"echo never", disk.path()};
    std::ofstream{job.path() + "/lock"}.flush();
    disk.fill();
    job.send_start();
    const auto failure = job.birth().take<StartFailed>();
    CHECK(failure.error == ENOSPC);
    const auto record = job.birth().take<Ended>().record;
    CHECK(record.state == JobState::failed);
    CHECK(record.error == "write exit.tmp: No space left on device");
    CHECK_FALSE(job.exists("exit.json"));
    CHECK(job.locked());
    disk.clear();
    job.await_unlocked();
    CHECK(decode_exit(job.read("exit.json"))->error == record.error);
}
