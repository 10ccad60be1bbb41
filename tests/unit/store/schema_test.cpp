#include "store/schema.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>
#include <vector>

#include "files.hpp"
#include "samples.hpp"

namespace bgshell::store::test {
namespace {

// A database made of SQL text, without our schema's help.
void make_database(const std::string& path, const std::string& sql) {
    const auto database = value(Database::open(path, std::chrono::milliseconds{1000}));
    ok(database->execute(sql.c_str()));
}

TEST_CASE("a new registry is private and has the newest schema") {
    const ScratchDirectory directory;
    const auto path = directory / "registry.db";
    const auto registry = value(Registry::open(path));
    struct stat status {};
    for (const auto* suffix : {"", "-wal", "-shm"}) {
        CAPTURE(suffix);
        REQUIRE(::stat((path + suffix).c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == 0600);
    }
    const auto database = value(Database::open(path, std::chrono::milliseconds{1000}));
    CHECK(value(database->query_integer("PRAGMA user_version")) == kSchemaVersion);
}

TEST_CASE("a registry of schema version 1 opens with all that it holds") {
    const ScratchDirectory directory;
    const auto path = directory / "registry.db";
    make_database(path, contents(BGSHELL_STORE_FIXTURES "/registry_v1.sql"));
    const auto registry = value(Registry::open(path));
    const auto listing = value(registry->list({"front1", "/home/u/project", true, true, 20}));
    REQUIRE(listing.running.size() == 1);
    CHECK(listing.running.front().spec.id.text() == "k3f9x0ab");
    CHECK(listing.running.front().spec.title == "dev server");
    CHECK(listing.running.front().spec.service);
    CHECK(listing.running.front().pid == 4711);
    REQUIRE(listing.ended.size() == 2);
    const auto& lost = listing.ended.at(0);
    CHECK(lost.state == keeper::JobState::lost);
    CHECK_FALSE(lost.exit);
    const auto& failed = listing.ended.at(1);
    CHECK(failed.state == keeper::JobState::failed);
    REQUIRE(failed.exit);
    CHECK(failed.exit->exit_code == 2);
    REQUIRE(failed.after);
    CHECK(failed.reserved_bytes == 8192);
    const auto notices = value(registry->untold("front1"));
    REQUIRE(notices.size() == 1);
    CHECK(notices.front().job == lost.spec.id);
    CHECK(value(registry->look("front1", failed.spec.id)) == 120);
    REQUIRE(value(registry->owners()).size() == 1);
    CHECK(value(registry->owners()).front().client == "claude-code");
}

TEST_CASE("a registry of a newer release is refused and left as it was") {
    const ScratchDirectory directory;
    const auto path = directory / "registry.db";
    make_database(path, "CREATE TABLE jobs (id TEXT); PRAGMA user_version = 2;");
    const auto before = contents(path);
    const auto error = error_of(Registry::open(path));
    CHECK(error.kind() == ErrorKind::newer);
    CHECK(error.text().find(path) != std::string::npos);
    CHECK(error.text().find("schema 2") != std::string::npos);
    CHECK(contents(path) == before);
    CHECK_FALSE(std::filesystem::exists(path + "-wal"));
}

TEST_CASE("a file that is no database is named, with the way out, and left as it was") {
    const ScratchDirectory directory;
    const auto path = directory / "registry.db";
    const std::string garbage(5000, 'x');
    put(path, garbage);
    const auto error = error_of(Registry::open(path));
    CHECK(error.kind() == ErrorKind::database);
    CHECK(error.text().find(path) != std::string::npos);
    CHECK(error.text().find("Move it away") != std::string::npos);
    CHECK(contents(path) == garbage);
}

TEST_CASE("an empty file becomes a registry") {
    const ScratchDirectory directory;
    put(directory / "registry.db", "");
    const auto registry = open_registry(directory);
    CHECK(value(registry->ids()).empty());
}

TEST_CASE("front ends that open a new registry at once all get it") {
    const ScratchDirectory directory;
    std::atomic<int> opened{0};
    std::vector<std::string> errors(4);
    std::vector<std::jthread> racers;
    for (std::size_t i = 0; i < errors.size(); ++i) {
        racers.emplace_back([&, i] {
            auto registry = Registry::open(directory / "registry.db");
            if (registry) {
                ++opened;
            } else {
                errors.at(i) = registry.error().text();
            }
        });
    }
    racers.clear();
    const auto all = errors.at(0) + errors.at(1) + errors.at(2) + errors.at(3);
    CAPTURE(all);
    CHECK(opened == 4);
}

TEST_CASE("a registry without write-ahead log works too") {
    const ScratchDirectory directory;
    Registry::Options options;
    options.network = true;
    const auto registry = value(Registry::open(directory / "registry.db", options));
    admit(*registry, sample_spec());
    CHECK_FALSE(std::filesystem::exists(directory / "registry.db-wal"));
    CHECK(value(registry->unsettled()).size() == 1);
}

}  // namespace
}  // namespace bgshell::store::test
