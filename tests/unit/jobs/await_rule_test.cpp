#include "jobs/await_rule.hpp"

#include <doctest/doctest.h>

#include <vector>

using bgshell::jobs::await_over;
using bgshell::jobs::AwaitFacts;
using bgshell::jobs::AwaitMode;
using bgshell::jobs::EndedBy;
using Jobs = std::vector<AwaitFacts>;

namespace {

AwaitFacts running() {
    return {};
}
AwaitFacts ended_untold() {
    return {.ended = true, .end_untold = true};
}
AwaitFacts ended_told() {
    return {.ended = true};
}
AwaitFacts matched() {
    return {.matched = true};
}
AwaitFacts quiet() {
    return {.quiet = true};
}
AwaitFacts ready_service() {
    return {.ready_service = true};
}

std::optional<EndedBy> any(const Jobs& jobs) {
    return await_over(AwaitMode::any, jobs);
}
std::optional<EndedBy> all(const Jobs& jobs) {
    return await_over(AwaitMode::all, jobs);
}

}  // namespace

TEST_CASE("any: the first untold end") {
    CHECK_FALSE(any({running(), running()}));
    CHECK(any({running(), ended_untold()}) == EndedBy::exit);
}

TEST_CASE("any: an end already told does not end it again, unless all have ended") {
    CHECK_FALSE(any({running(), ended_told()}));
    CHECK(any({ended_told(), ended_told()}) == EndedBy::exit);
    CHECK(any({ended_told()}) == EndedBy::exit);
}

TEST_CASE("any: a match, or silence, of one job") {
    CHECK(any({running(), matched()}) == EndedBy::match);
    CHECK(any({running(), quiet()}) == EndedBy::quiet);
    CHECK(any({quiet(), matched()}) == EndedBy::match);
    CHECK(any({matched(), ended_untold()}) == EndedBy::exit);
}

TEST_CASE("any: a told end is no silence, a ready service no event") {
    CHECK_FALSE(any({running(), {.ended = true, .quiet = true}}));
    CHECK_FALSE(any({running(), ready_service()}));
}

TEST_CASE("all: the last end") {
    CHECK_FALSE(all({running(), ended_untold()}));
    CHECK(all({ended_told(), ended_untold()}) == EndedBy::exit);
}

TEST_CASE("all: every job ends, matches or is silent in its own way") {
    CHECK_FALSE(all({matched(), running()}));
    CHECK(all({matched(), matched()}) == EndedBy::match);
    CHECK(all({matched(), ended_untold()}) == EndedBy::match);
    CHECK(all({quiet(), ended_untold()}) == EndedBy::quiet);
    CHECK(all({ready_service(), ended_untold()}) == EndedBy::match);
    CHECK(all({ready_service(), ready_service()}) == EndedBy::match);
}

TEST_CASE("nothing to wait for is over at once") {
    CHECK(any({}) == EndedBy::exit);
    CHECK(all({}) == EndedBy::exit);
}
