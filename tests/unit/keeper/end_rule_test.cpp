#include "keeper/end_rule.hpp"

#include <doctest/doctest.h>

using namespace bgshell::keeper;
using namespace std::chrono_literals;

namespace {
constexpr bgshell::platform::Instant kExit{100s};
}

TEST_CASE("the end of all pipes is the end, at once") {
    EndRule rule{kExit, 0};
    CHECK_FALSE(rule.complete(kExit));
    rule.on_all_closed();
    CHECK(rule.complete(kExit));
}

TEST_CASE("what was queued at the exit is read first, however long that takes") {
    EndRule rule{kExit, 1000};
    CHECK_FALSE(rule.complete(kExit + 10s));
    CHECK_FALSE(rule.wake().has_value());
    rule.on_bytes(999, kExit + 1ms);
    CHECK_FALSE(rule.complete(kExit + 10s));
    rule.on_bytes(1, kExit + 2ms);
    CHECK(rule.wake() == kExit + 102ms);
}

TEST_CASE("a pipe that somebody holds ends with 100 ms of silence") {
    EndRule rule{kExit, 0};
    CHECK_FALSE(rule.complete(kExit + 99ms));
    rule.on_bytes(5, kExit + 99ms);
    CHECK_FALSE(rule.complete(kExit + 198ms));
    CHECK(rule.complete(kExit + 199ms));
}

TEST_CASE("a pipe that is never silent ends after one second") {
    EndRule rule{kExit, 0};
    for (auto at = kExit; at < kExit + 1s; at += 50ms) {
        rule.on_bytes(1, at);
        CHECK_FALSE(rule.complete(at));
    }
    CHECK(rule.wake() == kExit + 1s);
    CHECK(rule.complete(kExit + 1s));
}
