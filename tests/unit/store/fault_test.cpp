// What the store says when the machine does not let it.
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "files.hpp"
#include "samples.hpp"
#include "store/database.hpp"
#include "store/job_directory.hpp"

namespace bgshell::store::test {
namespace {

namespace fs = std::filesystem;

// Runs `check` on a thread with its own mounts, where `path` is a tmpfs with these options; all of
// it is gone with the thread. The reason if that cannot be.
template <class Check>
std::string on_tmpfs(const std::string& path, const std::string& options, Check check) {
    std::string reason;
    std::jthread{[&] {
        if (::unshare(CLONE_NEWNS) != 0 ||
            ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("tmpfs", path.c_str(), "tmpfs", 0, options.c_str()) != 0) {
            reason = std::string{"no tmpfs can be mounted here: "} + std::strerror(errno);
            return;
        }
        try {
            check();
        } catch (...) {
            reason = "a check failed";  // doctest has told which; its exception ends here
        }
    }}.join();
    return reason;
}

TEST_CASE("a registry that somebody keeps locked is said to be busy") {
    const ScratchDirectory scratch;
    const auto path = scratch / "registry.db";
    Registry::Options impatient;
    impatient.busy_timeout = std::chrono::milliseconds{1};
    const auto registry = value(Registry::open(path, impatient));
    const auto other = value(Database::open(path, std::chrono::milliseconds{1}));
    ok(other->execute("BEGIN IMMEDIATE"));
    const auto error = error_of(registry->admit(admission(sample_spec())));
    CHECK(error.kind() == ErrorKind::busy);
    CHECK(error.text().find(path) != std::string::npos);
    CHECK(value(registry->unsettled()).empty());  // reading goes on
    ok(other->execute("ROLLBACK"));
    admit(*registry, sample_spec());
}

TEST_CASE("a damaged registry is named with the way out") {
    const ScratchDirectory scratch;
    const auto path = scratch / "registry.db";
    {
        const auto registry = value(Registry::open(path));
        for (int i = 0; i < 50; ++i) finish(*registry, admit(*registry, sample_spec()), 1);
        const auto database = value(Database::open(path, std::chrono::milliseconds{1000}));
        ok(database->execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    }
    auto bytes = contents(path);
    REQUIRE(bytes.size() > 3 * 4096);
    for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = '\x55';
    put(path, bytes);
    const auto opened = Registry::open(path);
    const auto error = opened ? error_of((*opened)->unsettled()) : opened.error();
    CHECK(error.kind() == ErrorKind::database);
    CHECK(error.text().find(path) != std::string::npos);
    CHECK(error.text().find("Move it away") != std::string::npos);
}

TEST_CASE("a state directory that is not writable is named with the next step") {
    const ScratchDirectory scratch;
    const auto check = [&](const std::string& path) {
        const auto error = error_of(StateDirectory::open(path, false));
        CHECK(error.kind() == ErrorKind::io);
        CHECK(error.text().find(path) != std::string::npos);
        CHECK(error.text().find("BGSHELL_STATE") != std::string::npos);
        return error.number();
    };
    if (::geteuid() != 0) {
        REQUIRE(::chmod(scratch.path().c_str(), 0500) == 0);
        CHECK(check(scratch / "state") == EACCES);
        REQUIRE(::chmod(scratch.path().c_str(), 0700) == 0);
        return;
    }
    const auto reason = on_tmpfs(scratch.path(), "size=64k,mode=0700", [&] {
        CHECK(::mount(nullptr, scratch.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) ==
              0);
        CHECK(check(scratch / "state") == EROFS);
    });
    if (!reason.empty()) MESSAGE("skipped: " << reason);
}

TEST_CASE("a registry that became read-only refuses what it cannot keep") {
    const ScratchDirectory scratch;
    const auto path = scratch / "registry.db";
    const auto reason = on_tmpfs(scratch.path(), "size=1m,mode=0700", [&] {
        { open_registry(scratch); }
        CHECK(::mount(nullptr, scratch.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) ==
              0);
        const auto opened = Registry::open(path);
        const auto error =
            opened ? error_of((*opened)->admit(admission(sample_spec()))) : opened.error();
        CHECK(error.kind() == ErrorKind::io);
        CHECK(error.text().find(path) != std::string::npos);
        CHECK(error.text().find("BGSHELL_STATE") != std::string::npos);
    });
    if (!reason.empty()) MESSAGE("skipped: " << reason);
}

TEST_CASE("a disk without room for the registry is said to be full") {
    const ScratchDirectory scratch;
    const auto reason = on_tmpfs(scratch.path(), "size=16k,mode=0700", [&] {
        const auto error = error_of(Registry::open(scratch / "registry.db"));
        CHECK(error.kind() == ErrorKind::io);
        CHECK(error.text().find("Free some space") != std::string::npos);
    });
    if (!reason.empty()) MESSAGE("skipped: " << reason);
}

TEST_CASE("a job directory in a directory that became read-only names the next step") {
    const ScratchDirectory scratch;
    const auto reason = on_tmpfs(scratch.path(), "size=1m,mode=0700", [&] {
        const auto state = value(StateDirectory::open(scratch / "state", false));
        CHECK(::mount(nullptr, scratch.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) ==
              0);
        const auto error = error_of(JobDirectory::create(state, "true"));
        CHECK(error.number() == EROFS);
        CHECK(error.text().find(state.path()) != std::string::npos);
        CHECK(error.text().find("BGSHELL_STATE") != std::string::npos);
    });
    if (!reason.empty()) MESSAGE("skipped: " << reason);
}

TEST_CASE("a full disk refuses jobs and leaves nothing of them") {
    const ScratchDirectory scratch;
    const auto reason = on_tmpfs(scratch.path(), "size=400k,mode=0700", [&] {
        const auto state = value(StateDirectory::open(scratch / "state", false));
        const auto registry = value(Registry::open(state.registry_path()));
        const auto before = admit(*registry, sample_spec());
        const auto jobs = [&] {
            return std::distance(fs::directory_iterator(scratch / "state/jobs"),
                                 fs::directory_iterator{});
        };
        // A script that does not fit.
        const auto error = error_of(JobDirectory::create(state, std::string(1 << 20, '#')));
        CHECK(error.kind() == ErrorKind::io);
        CHECK(error.number() == ENOSPC);
        CHECK(error.text().find("Free some space") != std::string::npos);
        CHECK(jobs() == 0);

        // A spec that does not fit.
        auto directory = value(JobDirectory::create(state, "make"));
        auto spec = sample_spec();
        spec.id = directory.id();
        {
            const File ballast{std::fopen((scratch / "ballast").c_str(), "wb"), &std::fclose};
            while (std::fputc('x', ballast.get()) != EOF) {
            }
        }
        CHECK(error_of(directory.write_spec(spec)).number() == ENOSPC);
        CHECK_FALSE(fs::exists(state.job_path(directory.id()) + "/spec.json"));

        // A registry that cannot grow: at some point it says so, and what it has said yes to stays.
        std::uint64_t kept = 1;
        auto answer = registry->admit(admission(sample_spec()));
        while (answer && kept < 1000) {
            ++kept;
            answer = registry->admit(admission(sample_spec()));
        }
        const auto full = error_of(answer);
        CHECK(full.kind() == ErrorKind::io);
        CHECK(full.number() == ENOSPC);
        fs::remove(scratch / "ballast");
        CHECK(value(registry->ids()).size() == kept);
        CHECK(value(registry->find(before)));
        admit(*registry, sample_spec());
    });
    if (!reason.empty()) MESSAGE("skipped: " << reason);
}

}  // namespace
}  // namespace bgshell::store::test
