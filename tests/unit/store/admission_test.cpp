#include "store/admission.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "samples.hpp"

namespace bgshell::store::test {
namespace {

template <class Answer>
Answer expect(Result<AdmissionAnswer> answer) {
    auto given = value(std::move(answer));
    REQUIRE(std::holds_alternative<Answer>(given));
    return std::get<Answer>(std::move(given));
}

TEST_CASE("a start that fits takes a slot and reserves its output limit") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto first = expect<Admitted>(registry->admit(admission(sample_spec())));
    CHECK(first.reserved_bytes == 1000);
    CHECK(first.slots_used == 1);
    const auto second = expect<Admitted>(registry->admit(admission(sample_spec())));
    CHECK(second.slots_used == 2);
    const auto other = expect<Admitted>(registry->admit(admission(sample_spec("owner2"))));
    CHECK(other.slots_used == 1);
    const auto listing = value(registry->list({"owner1", "", true, true, 20}));
    CHECK(listing.slots_used == 2);
    CHECK(listing.disk_used_bytes == 2000);
}

TEST_CASE("full slots name who holds them and change nothing") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    auto older = sample_spec();
    older.created = at(10);
    auto newer = sample_spec();
    newer.created = at(20);
    admit(*registry, older);
    admit(*registry, newer);
    admit(*registry, sample_spec("owner2"));

    auto asked = admission(sample_spec());
    asked.slots = 2;
    const auto full = expect<SlotsFull>(registry->admit(asked));
    CHECK_FALSE(full.total);
    REQUIRE(full.running.size() == 2);
    CHECK(full.running.at(0).spec.id == newer.id);
    CHECK(full.running.at(1).spec.id == older.id);

    asked.slots = 16;
    asked.slots_total = 3;
    const auto total = expect<SlotsFull>(registry->admit(asked));
    CHECK(total.total);
    CHECK(total.running.size() == 3);
    CHECK_FALSE(value(registry->find(asked.row.spec.id)));
}

TEST_CASE("a job with leftovers keeps its slot until everything below it has ended") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto id = admit(*registry, sample_spec());
    auto end = sample_exit(id);
    end.leftovers = {{77, "sleep 300", {}}};
    end.leftover_count = 1;
    CHECK(value(registry->record_end(end, false)));
    auto asked = admission(sample_spec());
    asked.slots = 1;
    const auto full = expect<SlotsFull>(registry->admit(asked));
    REQUIRE(full.running.size() == 1);
    CHECK(full.running.front().state == keeper::JobState::succeeded);
    CHECK(value(registry->record_after(sample_after(id), 10, false)));
    CHECK(expect<Admitted>(registry->admit(asked)).slots_used == 1);
}

TEST_CASE("a job that ended without leftovers frees its slot before its keeper has said so") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto id = admit(*registry, sample_spec());
    CHECK(value(registry->record_end(sample_exit(id), false)));
    auto asked = admission(sample_spec());
    asked.slots = 1;
    asked.slots_total = 1;
    CHECK(expect<Admitted>(registry->admit(asked)).slots_used == 1);
    CHECK(value(registry->unsettled()).size() == 2);
}

TEST_CASE("withdrawing frees the slot of a job that never started, and of no other") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto never = admit(*registry, sample_spec());
    const auto started = admit(*registry, sample_spec());
    ok(registry->record_started(started, 4711));
    ok(registry->withdraw(never));
    ok(registry->withdraw(started));
    CHECK_FALSE(value(registry->find(never)));
    REQUIRE(value(registry->find(started)));
    CHECK(value(registry->find(started))->pid == 4711);
}

TEST_CASE("the budget is the reservations of live jobs and the true size of settled ones") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    finish(*registry, admit(*registry, sample_spec()), 50);  // asked for 1000, left 50
    admit(*registry, sample_spec());                         // reserves 1000
    admit(*registry, sample_spec("owner2"));                 // not ours

    auto asked = admission(sample_spec());
    asked.disk_budget_bytes = 2050;
    CHECK(expect<Admitted>(registry->admit(asked)).reserved_bytes == 1000);
}

TEST_CASE("a nearly used budget lowers the output limit down to the least") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    admit(*registry, sample_spec());
    auto asked = admission(sample_spec());
    asked.disk_budget_bytes = 1100;
    asked.least_bytes = 101;
    CHECK(expect<BudgetFull>(registry->admit(asked)).used_bytes == 1000);
    CHECK_FALSE(value(registry->find(asked.row.spec.id)));
    asked.least_bytes = 100;
    CHECK(expect<Admitted>(registry->admit(asked)).reserved_bytes == 100);
    const auto row = value(registry->find(asked.row.spec.id));
    REQUIRE(row);
    CHECK(row->reserved_bytes == 100);
    CHECK(row->spec.output_limit_bytes == 100);
    // What asks for less than the least needs no more than it asks for; none is never enough.
    auto small = admission(sample_spec());
    small.row.reserved_bytes = 50;
    small.disk_budget_bytes = 1150;
    CHECK(expect<Admitted>(registry->admit(small)).reserved_bytes == 50);
    auto none = admission(sample_spec());
    none.disk_budget_bytes = 1150;
    none.least_bytes = 0;
    expect<BudgetFull>(registry->admit(none));
}

TEST_CASE("a used-up budget names the ended, told jobs whose removal frees most") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    const auto finished = [&](std::uint64_t bytes, bool notify) {
        const auto id = admit(*registry, sample_spec());
        finish(*registry, id, bytes, notify);
        return id;
    };
    const auto small = finished(200, false);
    const auto large = finished(700, false);
    const auto untold = finished(900, true);
    const auto medium = finished(400, false);
    admit(*registry, sample_spec());  // live: 1000

    auto asked = admission(sample_spec());
    asked.disk_budget_bytes = 3250;  // used 3200: lacks 950
    auto full = expect<BudgetFull>(registry->admit(asked));
    CHECK(full.used_bytes == 3200);
    CHECK(full.removable == std::vector{large, medium});
    CHECK(full.removable_bytes == 1100);

    const auto notices = value(registry->untold("owner1"));
    REQUIRE(notices.size() == 1);
    CHECK(notices.front().job == untold);
    ok(registry->record_told({notices.front().row}, {}));
    full = expect<BudgetFull>(registry->admit(asked));
    CHECK(full.removable == std::vector{untold, large});

    for (const auto& id : {small, large, untold, medium}) ok(registry->remove(id));
    CHECK(expect<Admitted>(registry->admit(asked)).reserved_bytes == 1000);
}

TEST_CASE("a key finds its job while it runs and for a while after its end") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    auto spec = sample_spec();
    spec.key = "build";
    auto first = admission(spec);
    first.row.argument_digest = "digest";
    expect<Admitted>(registry->admit(first));

    auto again = first;
    again.row.spec.id = keeper::JobId::random();
    auto taken = expect<KeyTaken>(registry->admit(again));
    CHECK(taken.row.spec.id == spec.id);
    CHECK(taken.same_arguments);
    again.row.argument_digest = "another";
    CHECK_FALSE(expect<KeyTaken>(registry->admit(again)).same_arguments);
    // A key answers also where nothing else would fit.
    again.slots = 1;
    again.disk_budget_bytes = 0;
    expect<KeyTaken>(registry->admit(again));

    finish(*registry, spec.id, 10);  // ended at 5000
    again.slots = 16;
    again.disk_budget_bytes = 1 << 20;
    again.key_floor = at(5'000);
    CHECK(expect<KeyTaken>(registry->admit(again)).row.state == keeper::JobState::succeeded);
    again.key_floor = at(5'001);
    expect<Admitted>(registry->admit(again));
}

TEST_CASE("a key belongs to its scope and client, and no key is no key") {
    const ScratchDirectory directory;
    const auto registry = open_registry(directory);
    auto spec = sample_spec();
    spec.key = "build";
    admit(*registry, spec);
    auto elsewhere = spec;
    elsewhere.id = keeper::JobId::random();
    elsewhere.scope = "/home/u/another";
    admit(*registry, elsewhere);
    auto other_client = spec;
    other_client.id = keeper::JobId::random();
    other_client.client = "cursor";
    admit(*registry, other_client);
    admit(*registry, sample_spec());
    admit(*registry, sample_spec());
}

TEST_CASE("two front ends racing for the last slots never share one") {
    const ScratchDirectory directory;
    constexpr std::uint32_t kSlots = 10;
    std::atomic<std::uint32_t> admitted{0};
    std::atomic<std::uint32_t> refused{0};
    std::atomic<std::uint32_t> failed{0};
    const auto race = [&] {
        auto registry = Registry::open(directory / "registry.db");
        if (!registry) {
            ++failed;
            return;
        }
        for (int i = 0; i < 20; ++i) {
            auto asked = admission(sample_spec());
            asked.slots = kSlots;
            auto answer = (*registry)->admit(asked);
            if (!answer) {
                ++failed;
            } else if (std::holds_alternative<Admitted>(*answer)) {
                ++admitted;
            } else {
                ++refused;
            }
        }
    };
    std::vector<std::jthread> racers;
    for (int i = 0; i < 2; ++i) racers.emplace_back(race);
    racers.clear();
    CHECK(failed == 0);
    CHECK(admitted == kSlots);
    CHECK(refused == 40 - kSlots);
    CHECK(value(open_registry(directory)->unsettled()).size() == kSlots);
}

}  // namespace
}  // namespace bgshell::store::test
