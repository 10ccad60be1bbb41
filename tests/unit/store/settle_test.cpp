#include "store/settle.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "files.hpp"
#include "samples.hpp"
#include "store/job_directory.hpp"
#include "store/owner_lock.hpp"

namespace bgshell::store::test {
namespace {

namespace fs = std::filesystem;

struct SettleFixture {
    ScratchDirectory scratch;
    StateDirectory state = value(StateDirectory::open(scratch / "state", false));
    std::unique_ptr<Registry> registry = value(Registry::open(state.registry_path()));

    // An admitted job as its front end leaves it when it hands the lock over.
    JobDirectory admit_job(bool with_spec = true) {
        auto directory = value(JobDirectory::create(state, "make"));
        auto spec = sample_spec();
        spec.id = directory.id();
        admit(*registry, spec);
        if (with_spec) ok(directory.write_spec(spec));
        return directory;
    }
    // And as its keeper leaves it when the shell starts.
    JobDirectory start(bool with_spec = true) {
        auto directory = admit_job(with_spec);
        write(directory.id(), "exit.tmp", "");
        return directory;
    }
    void write(const keeper::JobId& id, const std::string& name, const std::string& bytes) {
        put(state.job_path(id) + "/" + name, bytes);
    }
    void write_owner_lock(const std::string& owner) {
        put(scratch / ("state/owners/" + owner + ".lock"), "");
    }
    std::vector<keeper::JobId> settled() { return value(settle(state, *registry, at(9'000))); }
    JobRow row(const keeper::JobId& id) {
        auto found = value(registry->find(id));
        REQUIRE(found);
        return std::move(*found);
    }
    std::vector<NoticeKind> notices() {
        std::vector<NoticeKind> kinds;
        for (const auto& notice : value(registry->untold("owner1"))) kinds.push_back(notice.kind);
        return kinds;
    }
};

TEST_CASE_FIXTURE(SettleFixture, "nothing unsettled is nothing to do") {
    CHECK(settled().empty());
    CHECK(value(take_in(state, *registry, at(0))) == 0);
}

TEST_CASE_FIXTURE(SettleFixture, "a job whose lock is held is left alone, whatever its files say") {
    const OwnerLock owner = value(OwnerLock::acquire(state, "owner1"));
    const auto job = start();
    write(job.id(), "exit.json", keeper::encode_exit(sample_exit(job.id(), 3)));
    CHECK(settled().empty());
    CHECK(row(job.id()).state == keeper::JobState::running);
    CHECK(notices().empty());
}

TEST_CASE_FIXTURE(SettleFixture,
                  "the end of a dead owner's job is heard although leftovers hold it") {
    const auto job = start();
    CHECK(settled().empty());
    CHECK(row(job.id()).state == keeper::JobState::running);
    write(job.id(), "exit.json", keeper::encode_exit(sample_exit(job.id(), 3)));
    CHECK(settled().empty());
    CHECK(row(job.id()).state == keeper::JobState::failed);
    CHECK_FALSE(row(job.id()).settled);
    CHECK(notices() == std::vector{NoticeKind::ended});
    CHECK(settled().empty());
    CHECK(notices().size() == 1);
}

TEST_CASE_FIXTURE(SettleFixture, "a keeper that vanished without a word leaves a lost job") {
    for (const bool with_spec : {true, false}) {
        CAPTURE(with_spec);
        auto job = start(with_spec);
        job.drop_lock();
        CHECK(settled() == std::vector{job.id()});
        const auto lost = row(job.id());
        CHECK(lost.state == keeper::JobState::lost);
        CHECK(lost.ended == at(9'000));
        CHECK_FALSE(lost.exit);
        CHECK(lost.settled);
        CHECK(lost.reserved_bytes == job.disk_bytes());
        CHECK(settled().empty());
    }
    CHECK(notices() == std::vector{NoticeKind::ended, NoticeKind::ended});
}

TEST_CASE_FIXTURE(SettleFixture, "a start that was cut off before its keeper began is forgotten") {
    {
        const OwnerLock owner = value(OwnerLock::acquire(state, "owner1"));
        auto told = admit_job();  // by its living owner
        told.drop_lock();
        CHECK(settled() == std::vector{told.id()});
        CHECK(row(told.id()).state == keeper::JobState::lost);
    }
    auto job = admit_job();
    job.drop_lock();
    CHECK(settled() == std::vector{job.id()});
    CHECK_FALSE(value(registry->find(job.id())));
    CHECK_FALSE(fs::exists(state.job_path(job.id())));
}

TEST_CASE_FIXTURE(SettleFixture, "a record that was not finished counts as none") {
    const auto whole = keeper::encode_exit(sample_exit(keeper::JobId::random(), 3));
    const auto check = [&](const std::string& name, const std::string& bytes) {
        CAPTURE(name);
        CAPTURE(bytes);
        auto job = start();
        write(job.id(), name, bytes);
        job.drop_lock();
        CHECK(settled() == std::vector{job.id()});
        CHECK(row(job.id()).state == keeper::JobState::lost);
    };
    check("exit.tmp", std::string(4096, ' '));
    check("exit.tmp", whole);
    check("exit.json", "");
    check("exit.json", std::string(4096, '\0'));
    check("exit.json", whole.substr(0, whole.size() - 1));
    check("exit.json", "garbage");
    check("exit.json", whole);  // of another job
}

TEST_CASE_FIXTURE(SettleFixture, "an exit record without the keeper's last word is an end") {
    auto job = start();
    write(job.id(), "exit.json", keeper::encode_exit(sample_exit(job.id(), 3)));
    job.drop_lock();
    CHECK(settled() == std::vector{job.id()});
    const auto ended = row(job.id());
    CHECK(ended.state == keeper::JobState::failed);
    REQUIRE(ended.exit);
    CHECK(ended.exit->exit_code == 3);
    CHECK_FALSE(ended.after);
    CHECK(ended.settled);
    CHECK(notices() == std::vector{NoticeKind::ended});
}

TEST_CASE_FIXTURE(SettleFixture, "both records settle a job, and leftovers have their notice") {
    auto job = start();
    write(job.id(), "exit.json", keeper::encode_exit(sample_exit(job.id())));
    auto after = sample_after(job.id());
    after.leftovers_stopped_by = "cancel";
    after.leftovers = {{{77, "sleep 9", ""}, keeper::LeftoverFate::killed}};
    write(job.id(), "after.json", keeper::encode_after(after));
    job.drop_lock();
    CHECK(settled() == std::vector{job.id()});
    const auto ended = row(job.id());
    CHECK(ended.state == keeper::JobState::succeeded);
    CHECK(ended.after);
    CHECK(ended.reserved_bytes == job.disk_bytes());
    CHECK(notices() == std::vector{NoticeKind::ended, NoticeKind::leftovers_ended});
}

TEST_CASE_FIXTURE(SettleFixture, "an end that was recorded before is only closed") {
    auto job = start();
    CHECK(value(registry->record_end(sample_exit(job.id(), 3), false)));
    write(job.id(), "exit.json", keeper::encode_exit(sample_exit(job.id(), 4)));
    job.drop_lock();
    CHECK(settled() == std::vector{job.id()});
    CHECK(row(job.id()).exit->exit_code == 3);
    CHECK(notices().empty());
}

TEST_CASE_FIXTURE(SettleFixture, "a job whose directory is gone is lost and takes no space") {
    auto job = start();
    job.drop_lock();
    ok(job.remove(state));
    CHECK(settled() == std::vector{job.id()});
    CHECK(row(job.id()).state == keeper::JobState::lost);
    CHECK(row(job.id()).reserved_bytes == 0);
}

TEST_CASE_FIXTURE(SettleFixture, "a directory that cannot be read keeps nobody else unsettled") {
    auto broken = start();
    auto vanished = start();
    broken.drop_lock();
    vanished.drop_lock();
    ok(broken.remove(state));
    put(state.job_path(broken.id()), "a file in its place");
    CHECK(error_of(settle_job(state, *registry, row(broken.id()), at(9'000))).number() == ENOTDIR);
    CHECK(settled() == std::vector{vanished.id()});
    CHECK(row(broken.id()).state == keeper::JobState::running);
}

TEST_CASE_FIXTURE(SettleFixture, "a lost registry is made again from the directories") {
    auto ended = start();
    write(ended.id(), "exit.json", keeper::encode_exit(sample_exit(ended.id(), 3)));
    write(ended.id(), "after.json", keeper::encode_after(sample_after(ended.id())));
    ended.drop_lock();
    const auto live = start();
    auto vanished = start();
    vanished.drop_lock();
    settled();
    const auto before = row(ended.id());

    registry.reset();
    for (const auto* suffix : {"", "-wal", "-shm"}) fs::remove(state.registry_path() + suffix);
    registry = value(Registry::open(state.registry_path()));
    CHECK(value(take_in(state, *registry, at(9'000))) == 3);
    CHECK(value(take_in(state, *registry, at(9'000))) == 0);
    settled();
    CHECK(row(ended.id()).state == keeper::JobState::failed);
    CHECK(row(ended.id()).spec.command == before.spec.command);
    CHECK(row(ended.id()).reserved_bytes == before.reserved_bytes);
    CHECK(row(ended.id()).after);
    CHECK(row(live.id()).state == keeper::JobState::running);
    CHECK(row(vanished.id()).state == keeper::JobState::lost);
}

TEST_CASE_FIXTURE(SettleFixture, "a start that never came to its admission is cleared away") {
    auto held = value(JobDirectory::create(state, "make"));
    auto stray = value(JobDirectory::create(state, "make"));
    stray.drop_lock();
    auto unreadable = value(JobDirectory::create(state, "make"));
    unreadable.drop_lock();
    write(unreadable.id(), "spec.json", "");  // as a power loss may leave it
    fs::create_directory(scratch / "state/jobs/not a job");
    struct stat status {};
    REQUIRE(::stat(state.job_path(stray.id()).c_str(), &status) == 0);
    const auto made = at(std::int64_t{status.st_mtim.tv_sec} * 1000);

    CHECK(value(take_in(state, *registry, made + std::chrono::seconds{59})) == 0);
    CHECK(fs::exists(state.job_path(stray.id())));
    CHECK(value(take_in(state, *registry, made + std::chrono::seconds{120})) == 0);
    CHECK_FALSE(fs::exists(state.job_path(stray.id())));
    CHECK(fs::exists(state.job_path(held.id())));
    CHECK(fs::exists(state.job_path(unreadable.id())));
    CHECK(fs::exists(scratch / "state/jobs/not a job"));
}

TEST_CASE_FIXTURE(SettleFixture, "a removed job does not come back") {
    auto job = start();
    job.drop_lock();
    settled();
    ok(job.remove(state));
    ok(registry->remove(job.id()));
    CHECK(value(take_in(state, *registry, at(9'000))) == 0);
    CHECK_FALSE(value(registry->find(job.id())));
}

TEST_CASE_FIXTURE(SettleFixture, "only dead owners without jobs are forgotten") {
    for (const auto* owner : {"owner1", "idle", "alive"}) {
        ok(registry->put_owner({owner, "", "", at(1)}));
        write_owner_lock(owner);
    }
    const OwnerLock alive = value(OwnerLock::acquire(state, "alive"));
    start();
    ok(bury_owners(state, *registry));
    std::vector<std::string> left;
    for (const auto& owner : value(registry->owners())) left.push_back(owner.id);
    CHECK(left == std::vector<std::string>{"alive", "owner1"});
    CHECK(fs::exists(scratch / "state/owners/owner1.lock"));
    CHECK_FALSE(fs::exists(scratch / "state/owners/idle.lock"));
    CHECK(value(OwnerLock::is_alive(state, "alive")));
}

}  // namespace
}  // namespace bgshell::store::test
