// A state directory on a disk that fills up.
#include <doctest/doctest.h>

#include <fstream>

#include "process/jobs/scratch_state.hpp"
#include "support/tiny_disk.hpp"

using namespace bgshell;
using keeper::JobState;
using std::chrono::milliseconds;
using test::id_of;
using test::ScratchState;
using test::Session;

TEST_CASE("an end that the registry cannot take yet is not forgotten") {
    const test::TinyDisk disk{"size=8m,mode=700"};
    if (!disk.usable()) return;
    ScratchState state{disk.path()};
    Session session{state};
    session.expect_failures();
    const auto id = id_of(session.start("while [ ! -e go ]; do sleep 0.05; done; exit 3", 0));
    disk.fill();
    std::ofstream{state.file("go")}.flush();
    CHECK(session.await({id}).jobs.at(0).job.row.state == JobState::failed);
    const auto regressed = [&] { return session.output(id).job.row.state == JobState::running; };
    CHECK_FALSE(state.wait(regressed, milliseconds{500}));
    CHECK(session.list().running_total == 0);
    jobs::ListRequest ended;
    ended.state = jobs::ListState::ended;
    const auto listing = session.list(ended);
    CHECK(listing.ended_total == 1);
    CHECK(listing.omitted == 0);
    REQUIRE(listing.jobs.size() == 1);
    CHECK(listing.jobs[0].row.state == JobState::failed);
    disk.clear();
    const auto twin = session.start("while [ ! -e go ]; do sleep 0.05; done; exit 3", 10);
    CHECK_FALSE(twin.same_command.has_value());
    CHECK(state.wait([&] { return session.list().slots_used == 0; }));
    CHECK(session.output(id).job.row.state == JobState::failed);
}
