#include "keeper/growth_pacer.hpp"

#include <doctest/doctest.h>

using namespace bgshell::keeper;
using namespace std::chrono_literals;

namespace {
constexpr bgshell::platform::Instant kBegin{100s};
}

TEST_CASE("the first growth is told at once, a flood ever less often") {
    GrowthPacer pacer;
    auto now = kBegin;
    CHECK_FALSE(pacer.holds(now));
    for (const auto pause : {5ms, 10ms, 20ms, 40ms, 50ms, 50ms}) {
        pacer.told(now);
        CHECK(pacer.wake() == now + pause);
        CHECK(pacer.holds(now + pause - 1ms));
        CHECK_FALSE(pacer.holds(now + pause));
        now += pause;
    }
    pacer.quiet();
    CHECK_FALSE(pacer.wake().has_value());
    CHECK_FALSE(pacer.holds(now));
    pacer.told(now);
    CHECK(pacer.wake() == now + 5ms);
}
