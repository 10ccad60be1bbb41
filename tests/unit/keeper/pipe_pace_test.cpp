#include "keeper/pipe_pace.hpp"

#include <doctest/doctest.h>

using bgshell::keeper::PipePace;

namespace {

constexpr std::size_t kOrdinary = 64 * 1024;

}  // namespace

TEST_CASE("a pipe that is twice found more than half full is made larger, once") {
    PipePace pace{kOrdinary};
    CHECK_FALSE(pace.on_read(kOrdinary));
    CHECK_FALSE(pace.on_read(100));
    CHECK(pace.on_read(kOrdinary / 2 + 1));
    pace.enlarged(PipePace::kLargest);
    CHECK_FALSE(pace.on_read(PipePace::kLargest));
    CHECK_FALSE(pace.on_read(PipePace::kLargest));
}

TEST_CASE("a pipe full of lines counts as full, although its pages are not") {
    PipePace pace{kOrdinary};
    constexpr std::size_t kLine = 97;  // 42 of them in a page
    constexpr std::size_t kFull = 16 * (4096 / kLine) * kLine;
    CHECK_FALSE(pace.on_read(kFull));
    CHECK(pace.on_read(kFull));
}

TEST_CASE("a refusal to make it larger is final") {
    PipePace pace{kOrdinary};
    CHECK_FALSE(pace.on_read(kOrdinary));
    CHECK(pace.on_read(kOrdinary));
    CHECK_FALSE(pace.on_read(kOrdinary));
}

TEST_CASE("what is little depends on the pipe") {
    PipePace pace{kOrdinary};
    CHECK(pace.is_little(kOrdinary / 4 - 1));
    CHECK_FALSE(pace.is_little(kOrdinary / 4));
    pace.enlarged(PipePace::kLargest);
    CHECK(pace.is_little(kOrdinary / 4));
    // What an unprivileged user with many pipes gets: a full one must not count as little.
    const PipePace tiny{8 * 1024};
    CHECK_FALSE(tiny.is_little(4 * 1024));
}
