#include "jobs/job.hpp"

#include <doctest/doctest.h>

using namespace bgshell;
using jobs::Job;
using keeper::JobState;
using platform::Instant;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const Instant kNow{seconds{1000}};

class JobClock final : public platform::Clock {
  public:
    [[nodiscard]] Instant now() const override { return kNow; }
    [[nodiscard]] platform::WallTime wall() const override {
        return platform::WallTime{seconds{5000}};
    }
};

store::JobRow row() {
    store::JobRow row;
    row.spec.id = keeper::JobId::parse("k3f9x0ab").value();
    row.spec.created = platform::WallTime{seconds{4990}};
    row.spec.runtime_limit_ms = 100'000;
    return row;
}

keeper::Ended ended(JobState state, std::uint32_t leftovers = 0) {
    keeper::ExitRecord record;
    record.id = row().spec.id;
    record.state = state;
    record.exit_code = 0;
    record.elapsed_ms = 1234;
    record.bytes_produced = 50;
    record.bytes_stored = 40;
    record.leftover_count = leftovers;
    return {record};
}

}  // namespace

TEST_CASE("a job starts, prints, and ends exactly once") {
    Job job{row()};
    CHECK(job.starting());
    CHECK(job.elapsed(kNow) == milliseconds{0});
    CHECK_FALSE(job.limit_near_at().has_value());
    job.apply(keeper::Started{77, 0, false}, kNow);
    CHECK_FALSE(job.starting());
    CHECK(job.row().pid == 77);
    CHECK_FALSE(job.holes_supported());
    CHECK(job.elapsed(kNow + seconds{3}) == seconds{3});
    CHECK(job.limit_near_at() == kNow + seconds{90});
    job.apply(keeper::Grew{10, 10}, kNow);
    CHECK(job.level().stored() == 10);

    CHECK(job.apply(ended(JobState::succeeded, 2), kNow + seconds{4}));
    CHECK_FALSE(job.apply(ended(JobState::failed), kNow + seconds{5}));
    CHECK(job.ended());
    CHECK(job.row().state == JobState::succeeded);
    CHECK(job.elapsed(kNow + seconds{9}) == milliseconds{1234});
    CHECK(job.level().stored() == 40);
    CHECK(job.leftover_count() == 2);
    job.apply(keeper::Leftovers{{{12, "sleep 300", ""}}, 700});
    CHECK(job.leftover_count() == 700);  // more than were named
    job.apply(keeper::Leftovers{});
    CHECK(job.leftover_count() == 0);
}

TEST_CASE("a new limit counts from now") {
    Job job{row()};
    job.apply(keeper::Started{77, 0, true}, kNow);
    job.set_limit(seconds{10}, kNow + seconds{50});
    CHECK(job.row().spec.runtime_limit_ms == 10'000);
    CHECK(job.limit_near_at() == kNow + seconds{59});
}

TEST_CASE("a job of the registry has the phase of its row") {
    const JobClock clock;
    const Job running{row(), clock};
    CHECK_FALSE(running.ended());
    CHECK(running.elapsed(kNow) == seconds{10});

    auto lost = row();
    lost.state = JobState::lost;
    lost.ended = platform::WallTime{seconds{4997}};
    const Job gone{lost, clock};
    REQUIRE(gone.ended());
    CHECK(std::get<Job::Ended>(gone.phase()).at == kNow - seconds{3});
    CHECK(gone.elapsed(kNow) == seconds{7});
}

TEST_CASE("the registry's word ends a job that no keeper speaks for") {
    Job job{row(), JobClock{}};
    job.set_ready();
    auto lost = row();
    lost.state = JobState::lost;
    CHECK(job.apply(lost, kNow));
    CHECK_FALSE(job.apply(lost, kNow));
    CHECK(job.ended());
    CHECK(job.ready());
}
