#include "keeper/stop_sequence.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace bgshell::keeper;
using namespace std::chrono_literals;
using Step = StopSequence::Step;

namespace {
constexpr bgshell::platform::Instant kNow{100s};
}

TEST_CASE("nothing is due before a stop, and nothing after its end") {
    StopSequence stop;
    CHECK(stop.due(kNow) == Step::none);
    CHECK_FALSE(stop.active());
    CHECK_FALSE(stop.wake().has_value());
    stop.request(SIGTERM, 5s, kNow);
    stop.nothing_left();
    CHECK_FALSE(stop.active());
    CHECK(stop.due(kNow + 10s) == Step::none);
}

TEST_CASE("the polite signal is sent once, SIGKILL follows after the grace") {
    StopSequence stop;
    stop.request(SIGTERM, 5s, kNow);
    CHECK(stop.due(kNow) == Step::polite);
    CHECK(stop.polite_signal() == SIGTERM);
    stop.polite_sent();
    CHECK(stop.due(kNow + 4999ms) == Step::none);
    CHECK(stop.wake() == kNow + 5s);
    CHECK(stop.due(kNow + 5s) == Step::kill);
}

TEST_CASE("without a grace the signal is sent all the same") {
    StopSequence stop;
    stop.request(SIGTERM, 0ms, kNow);
    CHECK(stop.due(kNow) == Step::polite);
    stop.polite_sent();
    CHECK(stop.due(kNow) == Step::kill);
}

TEST_CASE("SIGKILL has no grace") {
    StopSequence stop;
    stop.request(SIGKILL, 5s, kNow);
    CHECK(stop.due(kNow) == Step::kill);
}

TEST_CASE("a second request hastens, and sends only another signal") {
    StopSequence stop;
    stop.request(SIGINT, 5s, kNow);
    stop.polite_sent();
    stop.request(SIGINT, 60s, kNow + 1s);
    CHECK(stop.due(kNow + 1s) == Step::none);
    CHECK(stop.wake() == kNow + 5s);
    stop.request(SIGTERM, 1s, kNow + 1s);
    CHECK(stop.due(kNow + 1s) == Step::polite);
    CHECK(stop.polite_signal() == SIGTERM);
    stop.polite_sent();
    CHECK(stop.wake() == kNow + 2s);
}

TEST_CASE("passes follow each other, sooner when a process has ended") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kNow);
    stop.pass_done(10, 0, kNow);
    CHECK(stop.due(kNow) == Step::none);
    CHECK(stop.wake() == kNow + StopSequence::kPass);
    stop.hurry(kNow + 100us);
    CHECK(stop.due(kNow + 100us) == Step::kill);
}

TEST_CASE("a process that ends within the grace hurries nothing") {
    StopSequence stop;
    stop.request(SIGTERM, 5s, kNow);
    stop.polite_sent();
    stop.hurry(kNow + 1s);
    CHECK(stop.due(kNow + 1s) == Step::none);
}

TEST_CASE("what two seconds of SIGKILL do not end is a survivor, tried again each second") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kNow);
    stop.pass_done(1, 0, kNow);
    stop.pass_done(1, 0, kNow + 1999ms);
    CHECK_FALSE(stop.lingering());
    stop.pass_done(1, 0, kNow + 2s);
    CHECK(stop.lingering());
    CHECK(stop.active());
    CHECK(stop.wake() == kNow + 3s);
    CHECK(stop.due(kNow + 3s) == Step::kill);
    stop.pass_done(1, 0, kNow + 3s);
    CHECK(stop.wake() == kNow + 4s);
}

TEST_CASE("survivors that may not be signalled are known at once, and tried each ten seconds") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kNow);
    stop.pass_done(2, 1, kNow);
    CHECK_FALSE(stop.lingering());
    stop.pass_done(1, 1, kNow + 1ms);
    CHECK(stop.lingering());
    CHECK(stop.wake() == kNow + 1ms + 10s);
}

TEST_CASE("a pass that finds only zombies is no end and no survivor") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kNow);
    stop.pass_done(0, 0, kNow);
    CHECK(stop.active());
    CHECK_FALSE(stop.lingering());
}

TEST_CASE("a new request for survivors kills again at once") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kNow);
    stop.pass_done(1, 1, kNow);
    stop.request(SIGTERM, 5s, kNow + 3s);
    CHECK(stop.due(kNow + 3s) == Step::kill);
    CHECK_FALSE(stop.lingering());
}
