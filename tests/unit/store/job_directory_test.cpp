#include "store/job_directory.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.hpp"
#include "samples.hpp"

namespace bgshell::store::test {
namespace {

namespace fs = std::filesystem;

struct Fixture {
    ScratchDirectory scratch;
    StateDirectory state = value(StateDirectory::open(scratch / "state", false));

    [[nodiscard]] std::string file(const JobDirectory& job, const std::string& name) const {
        return state.job_path(job.id()) + "/" + name;
    }
};

TEST_CASE_FIXTURE(Fixture, "a new job directory is private and has the script and a held lock") {
    const auto before = ::umask(0);
    auto job = value(JobDirectory::create(state, "echo hi\n"));
    ::umask(before);
    struct stat status {};
    REQUIRE(::stat(state.job_path(job.id()).c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0700);
    for (const auto* name : {"script", "lock"}) {
        CAPTURE(name);
        REQUIRE(::stat(file(job, name).c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == 0600);
    }
    CHECK(contents(file(job, "script")) == "echo hi\n");
    CHECK((::fcntl(job.lock_fd(), F_GETFD) & FD_CLOEXEC) != 0);

    auto other = value(JobDirectory::open(state, job.id()));
    CHECK_FALSE(value(other.try_lock()));
    CHECK(value(job.try_lock()));  // it is ours
    job.drop_lock();
    CHECK(value(other.try_lock()));
    CHECK_FALSE(value(job.try_lock()));
}

TEST_CASE_FIXTURE(Fixture, "records are read back, and what does not parse is absent") {
    const auto job = value(JobDirectory::create(state, "make"));
    CHECK_FALSE(job.read_spec());
    CHECK_FALSE(job.read_exit());
    CHECK_FALSE(job.read_after());

    auto spec = sample_spec();
    spec.id = job.id();
    ok(job.write_spec(spec));
    const auto read = job.read_spec();
    REQUIRE(read);
    CHECK(keeper::encode_spec(*read) == keeper::encode_spec(spec));
    CHECK(error_of(job.write_spec(spec)).number() == EEXIST);  // written once
    struct stat status {};
    REQUIRE(::stat(file(job, "spec.json").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);

    put(file(job, "exit.json"), std::string(4096, ' '));
    CHECK_FALSE(job.read_exit());
    auto blank_padded = keeper::encode_exit(sample_exit(job.id(), 3));
    blank_padded.resize(4096, ' ');
    put(file(job, "exit.json"), blank_padded);
    REQUIRE(job.read_exit());
    CHECK(job.read_exit()->exit_code == 3);
    put(file(job, "exit.json"), keeper::encode_exit(sample_exit(keeper::JobId::random())));
    CHECK_FALSE(job.read_exit());  // of another job

    put(file(job, "after.json"), keeper::encode_after(sample_after(job.id())));
    CHECK(job.read_after());
}

TEST_CASE_FIXTURE(Fixture, "an unwritten spec leaves no part of itself") {
    auto spec = sample_spec();
    const auto job = value(JobDirectory::create(state, "make"));
    fs::remove_all(state.job_path(job.id()));
    CHECK(error_of(job.write_spec(spec)).number() == ENOENT);
    CHECK_FALSE(fs::exists(state.job_path(job.id())));
}

TEST_CASE_FIXTURE(Fixture, "the size on disk counts blocks, not holes") {
    const auto job = value(JobDirectory::create(state, "make"));
    const auto before = job.disk_bytes();
    put(file(job, "log"), std::string(40'000, 'x'));
    REQUIRE(::truncate(file(job, "log").c_str(), 1 << 30) == 0);
    const auto after = job.disk_bytes();
    CHECK(after >= before + 40'000);
    CHECK(after < before + (1 << 20));
}

TEST_CASE_FIXTURE(Fixture, "removing takes everything, and once more is no error") {
    auto job = value(JobDirectory::create(state, "make"));
    fs::create_directory(file(job, "made by the job"));
    put(file(job, "made by the job/file"), "x");
    fs::create_symlink(scratch.path(), file(job, "link"));
    ok(job.remove(state));
    CHECK_FALSE(fs::exists(state.job_path(job.id())));
    CHECK(fs::exists(scratch.path()));
    ok(job.remove(state));
    const auto gone = error_of(JobDirectory::open(state, job.id()));
    CHECK(gone.kind() == ErrorKind::not_found);
    CHECK(gone.text().find(job.id().text()) != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "a link in the place of a job directory is not followed") {
    const auto id = keeper::JobId::random();
    fs::create_symlink(scratch.path(), state.job_path(id));
    CHECK(error_of(JobDirectory::open(state, id)).number() != 0);
}

}  // namespace
}  // namespace bgshell::store::test
