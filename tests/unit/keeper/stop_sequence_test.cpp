#include "keeper/stop_sequence.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace bgshell::keeper;
using namespace std::chrono_literals;
using Step = StopSequence::Step;

namespace {
constexpr bgshell::platform::Instant kStopBegin{100s};
}

TEST_CASE("nothing is due before a stop, and nothing after its end") {
    StopSequence stop;
    CHECK(stop.due(kStopBegin) == Step::none);
    CHECK_FALSE(stop.active());
    CHECK_FALSE(stop.wake().has_value());
    stop.request(SIGTERM, 5s, kStopBegin);
    stop.nothing_left();
    CHECK_FALSE(stop.active());
    CHECK(stop.due(kStopBegin + 10s) == Step::none);
}

TEST_CASE("the polite signal is sent once, SIGKILL follows after the grace") {
    StopSequence stop;
    stop.request(SIGTERM, 5s, kStopBegin);
    CHECK(stop.due(kStopBegin) == Step::polite);
    CHECK(stop.polite_signal() == SIGTERM);
    stop.polite_sent();
    CHECK(stop.due(kStopBegin + 4999ms) == Step::none);
    CHECK(stop.wake() == kStopBegin + 5s);
    CHECK(stop.due(kStopBegin + 5s) == Step::kill);
}

TEST_CASE("without a grace the signal is sent all the same") {
    StopSequence stop;
    stop.request(SIGTERM, 0ms, kStopBegin);
    CHECK(stop.due(kStopBegin) == Step::polite);
    stop.polite_sent();
    CHECK(stop.due(kStopBegin) == Step::kill);
}

TEST_CASE("SIGKILL has no grace") {
    StopSequence stop;
    stop.request(SIGKILL, 5s, kStopBegin);
    CHECK(stop.due(kStopBegin) == Step::kill);
}

TEST_CASE("a second request hastens, and sends only another signal") {
    StopSequence stop;
    stop.request(SIGINT, 5s, kStopBegin);
    stop.polite_sent();
    stop.request(SIGINT, 60s, kStopBegin + 1s);
    CHECK(stop.due(kStopBegin + 1s) == Step::none);
    CHECK(stop.wake() == kStopBegin + 5s);
    stop.request(SIGTERM, 1s, kStopBegin + 1s);
    CHECK(stop.due(kStopBegin + 1s) == Step::polite);
    CHECK(stop.polite_signal() == SIGTERM);
    stop.polite_sent();
    CHECK(stop.wake() == kStopBegin + 2s);
}

TEST_CASE("passes follow each other, sooner when a process has ended") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kStopBegin);
    stop.pass_done(10, 0, kStopBegin);
    CHECK(stop.due(kStopBegin) == Step::none);
    CHECK(stop.wake() == kStopBegin + StopSequence::kPass);
    stop.hurry(kStopBegin + 100us);
    CHECK(stop.due(kStopBegin + 100us) == Step::kill);
}

TEST_CASE("a process that ends within the grace hurries nothing") {
    StopSequence stop;
    stop.request(SIGTERM, 5s, kStopBegin);
    stop.polite_sent();
    stop.hurry(kStopBegin + 1s);
    CHECK(stop.due(kStopBegin + 1s) == Step::none);
}

TEST_CASE("what two seconds of SIGKILL do not end is a survivor, tried again each second") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kStopBegin);
    stop.pass_done(1, 0, kStopBegin);
    stop.pass_done(1, 0, kStopBegin + 1999ms);
    CHECK_FALSE(stop.lingering());
    stop.pass_done(1, 0, kStopBegin + 2s);
    CHECK(stop.lingering());
    CHECK(stop.active());
    CHECK(stop.wake() == kStopBegin + 3s);
    CHECK(stop.due(kStopBegin + 3s) == Step::kill);
    stop.pass_done(1, 0, kStopBegin + 3s);
    CHECK(stop.wake() == kStopBegin + 4s);
}

TEST_CASE("survivors that may not be signalled are known at once, and tried each ten seconds") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kStopBegin);
    stop.pass_done(2, 1, kStopBegin);
    CHECK_FALSE(stop.lingering());
    stop.pass_done(1, 1, kStopBegin + 1ms);
    CHECK(stop.lingering());
    CHECK(stop.wake() == kStopBegin + 1ms + 10s);
}

TEST_CASE("a pass that finds only zombies is no end and no survivor") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kStopBegin);
    stop.pass_done(0, 0, kStopBegin);
    CHECK(stop.active());
    CHECK_FALSE(stop.lingering());
}

TEST_CASE("a new request for survivors kills again at once") {
    StopSequence stop;
    stop.request(SIGKILL, 0ms, kStopBegin);
    stop.pass_done(1, 1, kStopBegin);
    stop.request(SIGTERM, 5s, kStopBegin + 3s);
    CHECK(stop.due(kStopBegin + 3s) == Step::kill);
    CHECK_FALSE(stop.lingering());
}
