#include "store/registry.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "samples.hpp"

namespace bgshell::store::test {
namespace {

std::vector<keeper::JobId> ids_of(const std::vector<JobRow>& rows) {
    std::vector<keeper::JobId> ids;
    for (const auto& row : rows) ids.push_back(row.spec.id);
    return ids;
}

TEST_CASE("every field of a job comes back as it went in") {
    const ScratchDirectory directory;
    auto spec = sample_spec();
    spec.title = "build \xe2\x9c\x93";
    spec.command = "printf 'a'; '\"; DROP TABLE jobs";
    spec.command.push_back('\0');
    spec.command += "b";
    spec.key = "k";
    spec.service = true;
    spec.output_limit_mode = keeper::OutputLimitMode::stop;
    spec.open_stdin = true;
    spec.split_stderr = true;
    auto asked = admission(spec);
    asked.row.argument_digest = "d1";
    asked.row.cwd_given = true;
    asked.row.detached = true;
    const auto exit = sample_exit(spec.id, 3);
    auto after = sample_after(spec.id);
    after.leftovers = {{{77, "sleep 9", ""}, keeper::LeftoverFate::killed}};
    {
        const auto registry = open_registry(directory);
        REQUIRE(std::holds_alternative<Admitted>(value(registry->admit(asked))));
        ok(registry->record_started(spec.id, 4242));
        ok(registry->record_ready(spec.id));
        ok(registry->record_limit(spec.id, 60'000));
        CHECK(value(registry->record_end(exit, true)));
        CHECK(value(registry->record_after(after, 4096, false)));
    }
    const auto row = value(open_registry(directory)->find(spec.id));
    REQUIRE(row);
    CHECK(row->spec.title == spec.title);
    CHECK(row->spec.command == spec.command);
    CHECK(row->spec.cwd == spec.cwd);
    CHECK(row->spec.shell == spec.shell);
    CHECK(row->spec.owner == spec.owner);
    CHECK(row->spec.scope == spec.scope);
    CHECK(row->spec.client == spec.client);
    CHECK(row->spec.key == spec.key);
    CHECK(row->spec.created == spec.created);
    CHECK(row->spec.runtime_limit_ms == 60'000);
    CHECK(row->spec.service);
    CHECK(row->spec.output_limit_bytes == 1000);
    CHECK(row->spec.output_limit_mode == keeper::OutputLimitMode::stop);
    CHECK(row->spec.open_stdin);
    CHECK(row->spec.split_stderr);
    CHECK(row->argument_digest == "d1");
    CHECK(row->cwd_given);
    CHECK(row->detached);
    CHECK(row->ready);
    CHECK(row->pid == 4242);
    CHECK(row->state == keeper::JobState::failed);
    CHECK(row->ended == exit.ended);
    CHECK(row->settled);
    CHECK(row->reserved_bytes == 4096);
    REQUIRE(row->exit);
    CHECK(keeper::encode_exit(*row->exit) == keeper::encode_exit(exit));
    REQUIRE(row->after);
    CHECK(keeper::encode_after(*row->after) == keeper::encode_after(after));
}

TEST_CASE("only the first end of a job counts, and only it makes a notice") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto other = open_registry(directory);
    const auto id = admit(*registry, sample_spec());
    CHECK(value(other->record_end(sample_exit(id, 7), true)));
    CHECK_FALSE(value(registry->record_end(sample_exit(id, 0), true)));
    CHECK_FALSE(value(registry->record_lost(id, at(9'000), true)));
    const auto row = value(registry->find(id));
    REQUIRE(row);
    REQUIRE(row->exit);
    CHECK(row->exit->exit_code == 7);
    CHECK(value(registry->untold("owner1")).size() == 1);
}

TEST_CASE("front ends racing for an end have one winner each") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    std::vector<keeper::JobId> jobs;
    for (int i = 0; i < 16; ++i) jobs.push_back(admit(*registry, sample_spec()));
    std::atomic<int> won{0};
    std::atomic<int> failed{0};
    std::vector<std::jthread> racers;
    for (int i = 0; i < 3; ++i) {
        racers.emplace_back([&] {
            auto mine = Registry::open(directory / "registry.db");
            for (const auto& id : jobs) {
                auto result = mine ? (*mine)->record_end(sample_exit(id), true) : mine.error();
                if (!result) {
                    ++failed;
                } else if (*result) {
                    ++won;
                }
            }
        });
    }
    racers.clear();
    CHECK(failed == 0);
    CHECK(won == 16);
    CHECK(value(registry->untold("owner1")).size() == 16);
}

TEST_CASE("a lost job has no exit record and keeps its slot until it is settled") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto id = admit(*registry, sample_spec());
    CHECK_FALSE(value(registry->record_gone(id, 5)));  // not before its end
    CHECK(value(registry->record_lost(id, at(8'000), true)));
    auto row = value(registry->find(id));
    REQUIRE(row);
    CHECK(row->state == keeper::JobState::lost);
    CHECK(row->ended == at(8'000));
    CHECK_FALSE(row->exit);
    CHECK_FALSE(row->settled);
    CHECK(value(registry->unsettled()).size() == 1);
    CHECK(value(registry->record_gone(id, 5)));
    CHECK_FALSE(value(registry->record_gone(id, 6)));
    row = value(registry->find(id));
    REQUIRE(row);
    CHECK(row->settled);
    CHECK_FALSE(row->after);
    CHECK(row->reserved_bytes == 5);
    CHECK(value(registry->unsettled()).empty());
}

TEST_CASE("the after record needs an end, counts once and says what stopped the leftovers") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto id = admit(*registry, sample_spec());
    auto after = sample_after(id);
    after.leftovers_stopped_by = "runtime limit";
    CHECK_FALSE(value(registry->record_after(after, 10, true)));
    CHECK(value(registry->record_end(sample_exit(id), false)));
    CHECK(value(registry->record_after(after, 10, true)));
    CHECK_FALSE(value(registry->record_after(after, 11, true)));
    const auto notices = value(registry->untold("owner1"));
    REQUIRE(notices.size() == 1);
    CHECK(notices.front().kind == NoticeKind::leftovers_ended);
    CHECK(notices.front().text == "runtime limit");
    CHECK(notices.front().created == after.ended);
}

TEST_CASE("notices are told once, in order, to the owner of the job") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto first = admit(*registry, sample_spec());
    const auto second = admit(*registry, sample_spec());
    const auto foreign = admit(*registry, sample_spec("owner2"));
    const auto limit =
        value(registry->add_notice(second, NoticeKind::limit_near, "90 %", at(1'500)));
    CHECK(value(registry->record_end(sample_exit(first), true)));
    CHECK(value(registry->record_end(sample_exit(foreign), true)));
    const auto again = value(registry->add_notice(second, NoticeKind::limit_near, "", at(1'600)));
    CHECK(again.seq == 2);

    auto notices = value(registry->untold("owner1"));
    REQUIRE(notices.size() == 3);
    CHECK(notices.at(0).row == limit.row);
    CHECK(notices.at(0).job == second);
    CHECK(notices.at(0).kind == NoticeKind::limit_near);
    CHECK(notices.at(0).seq == 1);
    CHECK(notices.at(0).text == "90 %");
    CHECK(notices.at(0).owner == "owner1");
    CHECK(notices.at(0).created == at(1'500));
    CHECK(notices.at(1).job == first);
    CHECK(notices.at(1).kind == NoticeKind::ended);
    CHECK(notices.at(2).row == again.row);

    ok(registry->record_told({notices.at(0).row, notices.at(1).row, 4711}, {}));
    ok(registry->record_told({notices.at(1).row}, {}));
    ok(registry->record_told({}, {}));
    CHECK(value(registry->untold("owner1")).size() == 1);
    CHECK(value(registry->untold("owner2")).size() == 1);
    ok(registry->remove(second));
    CHECK(value(registry->untold("owner1")).empty());
    const auto unknown = error_of(registry->add_notice(second, NoticeKind::limit_near, ""));
    CHECK(unknown.kind() == ErrorKind::not_found);
}

TEST_CASE("a look belongs to a caller and never moves back") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto id = admit(*registry, sample_spec());
    CHECK(value(registry->look("owner1", id)) == 0);
    ok(registry->record_told({}, {{"owner1", id, 500}}));
    ok(registry->record_told({}, {{"owner1", id, 300}}));
    ok(registry->record_told({}, {{"owner1/conversation", id, 20}}));
    CHECK(value(registry->look("owner1", id)) == 500);
    CHECK(value(registry->look("owner1/conversation", id)) == 20);
    ok(registry->remove(id));
    CHECK(value(registry->look("owner1", id)) == 0);
    ok(registry->record_told({}, {{"owner1", id, 10}}));  // removed meanwhile: nothing to remember
    CHECK(value(registry->look("owner1", id)) == 0);
}

TEST_CASE("owners come and go, their jobs stay") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    ok(registry->put_owner({"owner2", "cursor", "/b", at(20)}));
    ok(registry->put_owner({"owner1", "", "", at(10)}));
    ok(registry->put_owner({"owner1", "claude-code", "/a", at(10)}));
    const auto id = admit(*registry, sample_spec());
    const auto owners = value(registry->owners());
    REQUIRE(owners.size() == 2);
    CHECK(owners.at(0).id == "owner1");
    CHECK(owners.at(0).client == "claude-code");
    CHECK(owners.at(0).scope == "/a");
    CHECK(owners.at(1).started == at(20));
    ok(registry->drop_owner("owner1"));
    CHECK(value(registry->owners()).size() == 1);
    CHECK(value(registry->find(id)));
}

TEST_CASE("a title finds running jobs first, then the newest, of the owner or the scope") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto titled = [&](std::int64_t created, const std::string& owner,
                            const std::string& scope) {
        auto spec = sample_spec(owner);
        spec.title = "build";
        spec.created = at(created);
        spec.scope = scope;
        return admit(*registry, spec);
    };
    const auto ended = titled(40, "owner1", "/a");
    finish(*registry, ended, 1);
    const auto older = titled(10, "owner1", "/b");
    const auto newer = titled(20, "owner2", "/a");
    titled(30, "owner2", "/c");
    admit(*registry, sample_spec());
    CHECK(ids_of(value(registry->find_title("build", "owner1", "/a"))) ==
          std::vector{newer, older, ended});
    CHECK(ids_of(value(registry->find_title("build", "owner1", ""))) == std::vector{older, ended});
    CHECK(value(registry->find_title("Build", "owner1", "/a")).empty());
    CHECK(value(registry->find_title("", "owner1", "/home/u/project")).empty());
}

TEST_CASE("the same command is found while it runs, in the same directory and scope") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto spec = sample_spec();
    admit(*registry, spec);
    CHECK(value(registry->find_same_command(spec)).empty());  // not itself
    auto twin = spec;
    twin.id = keeper::JobId::random();
    CHECK(ids_of(value(registry->find_same_command(twin))) == std::vector{spec.id});
    auto elsewhere = twin;
    elsewhere.cwd = "/tmp";
    CHECK(value(registry->find_same_command(elsewhere)).empty());
    CHECK(value(registry->record_end(sample_exit(spec.id), false)));
    CHECK(value(registry->find_same_command(twin)).empty());
}

TEST_CASE("a listing has the jobs of the scope, or of the owner, newest first, with their totals") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto job = [&](std::int64_t created, const std::string& owner, const std::string& scope,
                         std::int64_t ended) {
        auto spec = sample_spec(owner);
        spec.created = at(created);
        spec.scope = scope;
        const auto id = admit(*registry, spec);
        if (ended != 0) {
            auto record = sample_exit(id);
            record.ended = at(ended);
            CHECK(value(registry->record_end(record, false)));
        }
        return id;
    };
    const auto run_old = job(10, "owner1", "/a", 0);
    const auto run_new = job(20, "owner2", "/a", 0);
    const auto elsewhere = job(30, "owner1", "/b", 0);
    job(40, "owner2", "/b", 0);
    const auto end1 = job(50, "owner1", "/a", 100);
    const auto end2 = job(60, "owner2", "/a", 300);
    const auto end3 = job(70, "owner1", "/b", 200);
    job(80, "owner2", "/b", 400);

    auto listing = value(registry->list({"owner1", "/a", true, true, 20}));
    CHECK(ids_of(listing.running) == std::vector{run_new, run_old});
    CHECK(ids_of(listing.ended) == std::vector{end2, end1});
    CHECK(listing.running_total == 2);
    CHECK(listing.ended_total == 2);
    CHECK(listing.slots_used == 2);
    CHECK(listing.disk_used_bytes == 4000);

    listing = value(registry->list({"owner1", "/a", false, true, 1}));
    CHECK(listing.running.empty());
    CHECK(listing.running_total == 2);
    CHECK(ids_of(listing.ended) == std::vector{end2});
    CHECK(listing.ended_total == 2);

    listing = value(registry->list({"owner1", "", true, true, 20}));
    CHECK(ids_of(listing.running) == std::vector{elsewhere, run_old});
    CHECK(ids_of(listing.ended) == std::vector{end3, end1});
    CHECK(listing.running_total == 2);
    CHECK(listing.ended_total == 2);
}

TEST_CASE("a job found without a row is taken in as running, once") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto spec = sample_spec();
    CHECK(value(registry->insert_found(spec)));
    CHECK_FALSE(value(registry->insert_found(spec)));
    const auto row = value(registry->find(spec.id));
    REQUIRE(row);
    CHECK(row->state == keeper::JobState::running);
    CHECK(row->reserved_bytes == 1000);
    CHECK(value(registry->ids()) == std::vector{spec.id});
}

TEST_CASE("unknown jobs are no errors where nothing is to be changed") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto id = keeper::JobId::random();
    CHECK_FALSE(value(registry->find(id)));
    CHECK_FALSE(value(registry->record_end(sample_exit(id), true)));
    CHECK_FALSE(value(registry->record_lost(id, at(1), true)));
    CHECK_FALSE(value(registry->record_after(sample_after(id), 1, true)));
    ok(registry->remove(id));
    ok(registry->withdraw(id));
    ok(registry->record_started(id, 1));
    ok(registry->drop_owner("nobody"));
}

TEST_CASE("a reader keeps an answer only as long as nobody has written") {
    const ScratchDirectory scratch;
    const auto registry = value(Registry::open(scratch / "registry.db"));
    const auto reader = value(Registry::open_reader(scratch / "registry.db"));
    CHECK(reader->read_only());
    const auto spec = sample_spec();
    const ListQuery query{spec.owner, spec.scope, true, true, 20};
    CHECK(value(reader->list(query)).running_total == 0);
    CHECK_FALSE(value(reader->find(spec.id)));
    static_cast<void>(value(registry->admit(admission(spec))));
    for (int again = 0; again < 2; ++again) {
        CHECK(value(reader->list(query)).running.size() == 1);
        CHECK(value(reader->find(spec.id))->pid == 0);
        CHECK_FALSE(value(reader->list(query)).others_unsettled);
        CHECK(value(reader->list({"other", "", true, true, 20})).others_unsettled);
    }
    ok(registry->record_started(spec.id, 42));
    CHECK(value(reader->find(spec.id))->pid == 42);
    CHECK(value(reader->list(query)).running.front().pid == 42);
    CHECK_FALSE(reader->record_started(spec.id, 43).has_value());
}

TEST_CASE("the log of the registry is moved into its file between transactions") {
    const ScratchDirectory scratch;
    const auto registry = value(Registry::open(scratch / "registry.db"));
    const auto size = [&] { return std::filesystem::file_size(scratch / "registry.db"); };
    auto spec = sample_spec();
    spec.command = std::string(4096, 'x');
    const auto before = size();
    for (int i = 0; i < 400; ++i) {
        spec.id = keeper::JobId::random();
        static_cast<void>(value(registry->insert_found(spec)));
    }
    CHECK(size() == before);
    registry->checkpoint_if_due();
    const auto after = size();
    CHECK(after > before + 400 * 4096);
    static_cast<void>(value(registry->find(spec.id)));
    registry->checkpoint_if_due();
    CHECK(size() == after);
}

}  // namespace
}  // namespace bgshell::store::test
