#include "jobs/output_level.hpp"

#include <doctest/doctest.h>

using bgshell::jobs::OutputLevel;
using bgshell::platform::Instant;
using std::chrono::seconds;

namespace {
const Instant kStart{seconds{1000}};
}

TEST_CASE("a level only grows, and remembers when") {
    OutputLevel level;
    CHECK_FALSE(level.last_output().has_value());
    CHECK_FALSE(level.reached(0).has_value());
    level.grow(100, 100, kStart);
    level.grow(100, 100, kStart + seconds{5});
    CHECK(level.last_output() == kStart);
    level.grow(150, 120, kStart + seconds{6});
    CHECK(level.produced() == 150);
    CHECK(level.stored() == 120);
    CHECK(level.last_output() == kStart + seconds{6});
    level.grow(10, 10, kStart + seconds{7});
    CHECK(level.stored() == 120);
}

TEST_CASE("output that is no longer stored is output too") {
    OutputLevel level;
    level.grow(100, 100, kStart);
    level.grow(200, 100, kStart + seconds{9});
    CHECK(level.last_output() == kStart + seconds{9});
}

TEST_CASE("when a byte came, to the precision of the levels seen") {
    OutputLevel level;
    level.grow(100, 100, kStart);
    level.grow(200, 200, kStart + seconds{1});
    CHECK(level.reached(0) == kStart);
    CHECK(level.reached(99) == kStart);
    CHECK(level.reached(100) == kStart + seconds{1});
    CHECK_FALSE(level.reached(200).has_value());
}

TEST_CASE("any number of levels stays small and roughly right") {
    OutputLevel level;
    for (int i = 1; i <= 100'000; ++i) {
        level.grow(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i),
                   kStart + seconds{i});
    }
    const auto reached = level.reached(50'000);
    REQUIRE(reached.has_value());
    CHECK(*reached >= kStart + seconds{50'000});
    CHECK(level.reached(99'999) == kStart + seconds{100'000});
}
