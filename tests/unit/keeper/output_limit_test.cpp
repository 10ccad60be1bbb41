#include "keeper/output_limit.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace bgshell::keeper;

namespace {

constexpr std::uint64_t kKiB = 1024;

// A log that is only counted: what LogWriter would do with the steps.
struct CountedLog {
    OutputLimit limit;
    std::uint64_t punched_from = 0;
    std::uint64_t punched_to = 0;
    std::uint64_t most_on_disk = 0;
    std::uint64_t holes = 0;

    void append(std::size_t bytes, std::uint64_t index_bytes = 0) {
        while (bytes > 0) {
            const LogStep step = limit.plan(bytes, index_bytes);
            REQUIRE(step.take >= 1);
            REQUIRE(step.take <= bytes);
            REQUIRE(step.skip <= step.take);
            if (step.hole) {
                ++holes;
                if (punched_to == 0) punched_from = punched_to = step.hole->from;
                CHECK(step.hole->from == punched_to);
                CHECK(step.hole->to > step.hole->from);
                CHECK(step.hole->from % OutputLimit::kBlock == 0);
                CHECK(step.hole->to % OutputLimit::kBlock == 0);
                CHECK(step.hole->to <= limit.size() + step.take);
                punched_to = step.hole->to;
                limit.punched(*step.hole);
                limit.grown(step.skip);
            }
            limit.grown(step.take - step.skip);
            bytes -= step.take;
            most_on_disk =
                std::max(most_on_disk, limit.size() - (punched_to - punched_from) + index_bytes);
        }
    }
};

}  // namespace

TEST_CASE("below the limit everything is kept, in both modes") {
    for (const auto mode : {OutputLimitMode::roll, OutputLimitMode::stop}) {
        CountedLog log{OutputLimit{mode, 64 * kKiB}};
        log.append(64 * kKiB);
        CHECK(log.limit.size() == 64 * kKiB);
        CHECK(log.holes == 0);
        CHECK_FALSE(log.limit.reached(64 * kKiB));
    }
}

TEST_CASE("stop discards what is beyond the limit, the index counted") {
    const OutputLimit fresh{OutputLimitMode::stop, 1000};
    CHECK(fresh.plan(1500, 100) == LogStep{.take = 900, .skip = 0, .hole = {}});
    OutputLimit full = fresh;
    full.grown(900);
    CHECK(full.plan(600, 100) == LogStep{.take = 600, .skip = 600, .hole = {}});
    CHECK(full.plan(600, 5000) == LogStep{.take = 600, .skip = 600, .hole = {}});
    CHECK_FALSE(full.reached(900));
    CHECK(full.reached(901));
}

TEST_CASE("roll keeps the head and the newest rest within the limit, whatever the sizes") {
    for (const std::uint64_t limit :
         {4 * kKiB, 8 * kKiB, 10'000UL, 16 * kKiB, 100'000UL, 1024 * kKiB, 32768 * kKiB}) {
        for (const std::size_t chunk : {1UL, 97UL, 4096UL, 65536UL, 262144UL}) {
            CountedLog log{OutputLimit{OutputLimitMode::roll, limit}};
            const std::uint64_t total = std::min(limit * 5, 100'000 * std::uint64_t{chunk});
            std::uint64_t produced = 0;
            for (; produced < total; produced += chunk) log.append(chunk);
            CAPTURE(limit);
            CAPTURE(chunk);
            CHECK(log.limit.size() == produced);  // offsets never change
            const std::uint64_t blocks = limit < 16 * kKiB ? 2 : 1;
            CHECK(log.most_on_disk < limit + blocks * OutputLimit::kBlock);
            if (produced <= limit + blocks * OutputLimit::kBlock) continue;
            CHECK(log.punched_from == std::max(4096UL, limit / 4 / 4096 * 4096));
            const std::uint64_t tail = produced - log.punched_to;
            CHECK(tail + log.punched_from >= limit / 2);
            CHECK(tail >= limit / 2);
            // A flood punches seldom: at most once for an eighth of the rest, or each block.
            const std::uint64_t step = std::max<std::uint64_t>(limit * 3 / 32, 4096) - 4096;
            CHECK(log.holes * std::max<std::uint64_t>(step, 4096) <= produced + limit);
        }
    }
}

TEST_CASE("a chunk larger than the whole limit fills the head first and keeps its end") {
    OutputLimit limit{OutputLimitMode::roll, 16 * kKiB};
    CHECK(limit.plan(256 * kKiB, 0) == LogStep{.take = 4 * kKiB, .skip = 0, .hole = {}});
    limit.grown(4 * kKiB);
    const LogStep step = limit.plan(252 * kKiB, 0);
    CHECK(step.take == 252 * kKiB);
    REQUIRE(step.hole.has_value());
    CHECK(step.hole->from == 4 * kKiB);
    CHECK(step.hole->to == 4 * kKiB + step.skip);
    CHECK(step.take - step.skip <= 12 * kKiB);
}

TEST_CASE("an index that takes the whole limit leaves room for nothing, and nothing breaks") {
    CountedLog log{OutputLimit{OutputLimitMode::roll, 4 * kKiB}};
    for (int i = 0; i < 100; ++i) log.append(1000, 1 << 20);
    CHECK(log.limit.size() == 100'000);
    CHECK(log.limit.size() - log.punched_to < OutputLimit::kBlock);
}

TEST_CASE("a rolling log ends its job at 64 times the limit, also at the largest") {
    const OutputLimit limit{OutputLimitMode::roll, 1000};
    CHECK_FALSE(limit.reached(63'999));
    CHECK(limit.reached(64'000));
    CHECK_FALSE(OutputLimit{OutputLimitMode::roll, UINT64_MAX / 2}.reached(UINT64_MAX / 4));
}
