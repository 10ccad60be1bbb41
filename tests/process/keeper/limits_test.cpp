// Runtime and output limits.
#include <algorithm>
#include <csignal>

#include "keeper/output_limit.hpp"
#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

namespace {

std::string numbers(int from, int to) {
    std::string text;
    for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
    return text;
}

// The one hole of a rolled log.
IndexEntry hole_of(const ScratchJob& job) {
    std::optional<IndexEntry> all;
    for (const auto& entry : job.index()) {
        if (entry.kind != IndexKind::hole) continue;
        if (!all) all = entry;
        CHECK((entry == *all || entry.from == all->to));
        all->to = entry.to;
    }
    REQUIRE(all.has_value());
    return *all;
}

}  // namespace

TEST_CASE("the runtime limit ends a job as timed out") {
    ScratchJob job{"exec sleep 300"};
    job.order.runtime_limit_ms = 300;
    const auto record = job.run();
    CHECK(record.state == JobState::timed_out);
    CHECK(record.signal == SIGTERM);
    CHECK(record.elapsed_ms >= 300);
    CHECK(record.elapsed_ms < 2000);
}

TEST_CASE("a new runtime limit counts from now") {
    ScratchJob job{"exec sleep 300"};
    job.start();
    job.birth().send(Limit{.milliseconds = 200});
    CHECK(job.await_end().state == JobState::timed_out);

    ScratchJob longer{"sleep 0.6; echo ok"};
    longer.order.runtime_limit_ms = 300;
    longer.start();
    longer.birth().send(Limit{.milliseconds = 60'000});
    CHECK(longer.await_end().state == JobState::succeeded);
}

TEST_CASE("a limit that no clock can count is no limit to worry about") {
    ScratchJob job{"echo ok"};
    job.order.runtime_limit_ms = UINT64_MAX;
    CHECK(job.run().state == JobState::succeeded);
}

TEST_CASE("mode stop keeps the first bytes and ends the job") {
    ScratchJob job{"exec yes 0123456"};
    job.order.output_limit_bytes = 1 << 20;
    job.order.output_limit_mode = OutputLimitMode::stop;
    const auto record = job.run();
    CHECK(record.state == JobState::output_limit);
    CHECK(record.bytes_stored == 1 << 20);
    CHECK(record.bytes_produced > record.bytes_stored);
    CHECK(record.capture_complete);
    CHECK(job.log().size() == 1 << 20);
    CHECK(job.log().ends_with("0123456\n"));
}

TEST_CASE("exactly the limit is within it") {
    ScratchJob job{"head -c 65536 /dev/zero"};
    job.order.output_limit_bytes = 65536;
    job.order.output_limit_mode = OutputLimitMode::stop;
    const auto record = job.run();
    CHECK(record.state == JobState::succeeded);
    CHECK(record.bytes_stored == 65536);
    CHECK(record.capture_complete);
}

TEST_CASE("mode roll keeps the first quarter, or block, and the newest rest, byte for byte") {
    const std::string all = numbers(1, 700'000);  // 4.8 MB
    for (const std::uint64_t limit : {4096ULL, 65536ULL, 1ULL << 20U}) {
        ScratchJob job{"seq 1 700000"};
        job.order.output_limit_bytes = limit;
        job.start();
        job.birth().send(Limit{.milliseconds = 60'000});
        const auto record = job.await_end();
        const bool within_factor = all.size() / limit < OutputLimit::kRollFactor;
        if (within_factor) CHECK(record.state == JobState::succeeded);
        const std::string log = job.log();
        CHECK(record.bytes_stored == log.size());
        const auto hole = hole_of(job);
        const auto head = std::max<std::uint64_t>(limit / 4 / 4096 * 4096, 4096);
        CHECK(hole.from == head);
        CHECK(hole.to % 4096 == 0);
        CHECK(log.compare(0, hole.from, all, 0, hole.from) == 0);
        CHECK(log.compare(hole.to, std::string::npos, all, hole.to, log.size() - hole.to) == 0);
        CHECK(log.find_first_not_of('\0', hole.from) == hole.to);
        CHECK(job.blocks_of("log") <= limit + (limit < 16384 ? 8192 : 4096));
        CHECK(log.size() - hole.to + hole.from >= limit / 2);
        if (within_factor) CHECK(log == log.substr(0, hole.to) + all.substr(hole.to));
    }
}

TEST_CASE("mode roll ends a job that printed 64 times the limit") {
    ScratchJob job{"exec yes"};
    job.order.output_limit_bytes = 65536;
    const auto record = job.run();
    CHECK(record.state == JobState::output_limit);
    CHECK(record.bytes_produced >= 64 * 65536);
    CHECK(job.blocks_of("log") <= 65536 + 4096);
    CHECK(job.log().ends_with("y\n"));
}

TEST_CASE("split jobs say which bytes came from which stream") {
    ScratchJob job{
        "echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; sleep 0.1; echo four"};
    job.order.split_stderr = true;
    job.run();
    CHECK(job.log() == "one\ntwo\nthree\nfour\n");
    const std::vector<IndexEntry> expected{
        {IndexKind::out, 0, 0}, {IndexKind::err, 4, 0}, {IndexKind::out, 8, 0}};
    CHECK(job.index() == expected);
}

TEST_CASE("streams that alternate without end become mixed, within the limit") {
    ScratchJob job{"for i in $(seq 150); do echo o; sleep 0.002; echo e >&2; sleep 0.002; done"};
    job.order.split_stderr = true;
    job.order.output_limit_bytes = 4096;
    CHECK(job.run().state == JobState::succeeded);
    const auto index = job.index();
    CHECK(index.back().kind == IndexKind::mixed);
    CHECK(index.size() * kIndexEntryBytes <= 4096 / 8 + kIndexEntryBytes);
    CHECK(job.log().size() == 600);
}
