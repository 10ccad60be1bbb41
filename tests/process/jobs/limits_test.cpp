// Slots, disk budget, and what a refused start says.
#include <doctest/doctest.h>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;
using keeper::JobState;
using test::id_of;
using test::ScratchState;
using test::Session;

TEST_CASE("b76_a_full_house_refuses_and_kills_nobody") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.slots = 2;
    Session session{state, settings};
    const auto one = id_of(session.start("sleep 300", 0));
    const auto two = id_of(session.start("sleep 300", 0));
    const auto outcome = session.try_start(Session::command("sleep 300", 0));
    REQUIRE(outcome.has_value());
    const auto* refused = std::get_if<jobs::StartRefusedSlots>(&*outcome);
    REQUIRE(refused != nullptr);
    CHECK_FALSE(refused->total);
    CHECK(refused->slots == 2);
    REQUIRE(refused->running.size() == 2);
    CHECK(refused->running[0].row.spec.id.text() == two);
    CHECK(session.list().running_total == 2);
    CHECK(session.cancel(one).result == jobs::CancelResult::ended);
    const auto three = session.start("sleep 300", 0);
    CHECK(three.slots_used == 2);
    session.cancel(two);
    session.cancel(id_of(three));
}

TEST_CASE("b75_ended_and_failed_starts_give_their_slot_back") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.slots = 4;
    Session session{state, settings};
    for (int i = 0; i < 50; ++i) {
        CHECK(session.start("true").job.row.state == JobState::succeeded);
    }
    for (int i = 0; i < 10; ++i) {
        auto request = Session::command("true");
        request.cwd = state.file("nowhere");
        const auto outcome = session.try_start(request);
        REQUIRE_FALSE(outcome.has_value());
        CHECK(outcome.error().text().find("nowhere") != std::string::npos);
    }
    const auto listing = session.list();
    CHECK(listing.slots_used == 0);
    CHECK(listing.ended_total == 50);
    CHECK(listing.omitted == 30);
}

TEST_CASE("a job without leftovers frees its slot for a start that comes at once") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.slots = 1;
    Session session{state, settings};
    for (int i = 0; i < 20; ++i) {
        const auto started = session.start("exit 2");
        CHECK(started.job.row.exit->exit_code == 2);
    }
}

TEST_CASE("a nearly used budget gives less, a used one refuses with a way out") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.output_limit_bytes = 8ULL << 20;
    settings.disk_budget_bytes = 12ULL << 20;
    Session session{state, settings};
    const auto first = session.start("sleep 300", 0);
    CHECK(first.reduced_output_limit == 0);
    const auto second = session.start("sleep 300", 0);
    CHECK(second.reduced_output_limit == 4ULL << 20);
    CHECK(second.job.row.spec.output_limit_bytes == 4ULL << 20);
    const auto outcome = session.try_start(Session::command("sleep 300", 0));
    REQUIRE(outcome.has_value());
    const auto* refused = std::get_if<jobs::StartRefusedBudget>(&*outcome);
    REQUIRE(refused != nullptr);
    CHECK(refused->budget_bytes == 12ULL << 20);
    session.cancel(id_of(first));
    session.cancel(id_of(second));
    CHECK(session.start("true").reduced_output_limit == 0);
}

TEST_CASE("what a cancelled job held is free for the next start") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.slots = 1;
    settings.output_limit_bytes = 8ULL << 20;
    settings.disk_budget_bytes = 12ULL << 20;
    Session session{state, settings};
    for (int i = 0; i < 5; ++i) {
        const auto started = session.start("sleep 300 & sleep 300", 0);
        CHECK(started.reduced_output_limit == 0);
        session.cancel(id_of(started));
    }
}

TEST_CASE("bad arguments name the field and start nothing") {
    ScratchState state;
    Session session{state};
    const auto fault = [&](jobs::StartRequest request) {
        const auto outcome = session.try_start(std::move(request));
        REQUIRE_FALSE(outcome.has_value());
        CHECK(outcome.error().kind() == jobs::ErrorKind::bad_argument);
        CHECK(outcome.error().text().ends_with("Nothing was started."));
        return outcome.error().text();
    };
    CHECK(fault(Session::command(" \n")).starts_with("command"));
    CHECK(fault(Session::command(std::string{"a\0b", 3})).starts_with("command"));
    CHECK(fault(Session::command(std::string(1024 * 1024 + 1, 'x'))).starts_with("command"));
    auto request = Session::command("true");
    request.wait_for = "";
    CHECK(fault(request).starts_with("wait_for"));
    CHECK(session.list().ended_total == 0);
}

TEST_CASE("a runtime limit above the ceiling is lowered and said") {
    ScratchState state;
    auto settings = Session::fast_settings();
    settings.runtime_limit_max = std::chrono::milliseconds{60'000};
    Session session{state, settings};
    auto request = Session::command("true");
    request.runtime_limit = std::chrono::milliseconds{180'000};
    const auto started = session.start(request);
    CHECK(started.job.row.spec.runtime_limit_ms == 60'000);
    REQUIRE(started.facts.size() == 1);
    CHECK(started.facts[0] == "runtime_limit_s 60, not 180 (the ceiling)");
}
