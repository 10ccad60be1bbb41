// A disk that is full.
#include <sys/mount.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

namespace {

// A file system of a few blocks, which only root can make.
class TinyDisk {
  public:
    explicit TinyDisk(const char* options) {
        std::string path = std::filesystem::temp_directory_path() / "bgshell-disk-XXXXXX";
        REQUIRE(::mkdtemp(path.data()) != nullptr);
        path_ = path;
        mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", MS_NODEV | MS_NOSUID, options) == 0;
        if (!mounted_) MESSAGE("skipped, no file system of its own: " << std::strerror(errno));
    }
    TinyDisk(const TinyDisk&) = delete;
    TinyDisk& operator=(const TinyDisk&) = delete;
    ~TinyDisk() {
        if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
        std::filesystem::remove(path_);
    }
    [[nodiscard]] bool usable() const { return mounted_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    // Takes all space that is left.
    void fill() const {
        std::ofstream file{path_ + "/filler"};
        const std::string block(4096, 'x');
        while (file.write(block.data(), 4096).flush()) {
        }
    }

  private:
    std::string path_;
    bool mounted_ = false;
};

}  // namespace

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
    std::filesystem::remove(disk.path() + "/filler");
    job.await_after();
    CHECK(decode_exit(job.read("exit.json"))->error == record.error);
}
