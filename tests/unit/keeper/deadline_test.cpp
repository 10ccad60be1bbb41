#include "keeper/deadline.hpp"

#include <doctest/doctest.h>

using namespace bgshell::keeper;
using namespace std::chrono_literals;

TEST_CASE("any number of milliseconds makes a deadline") {
    CHECK(bounded_milliseconds(0) == 0ms);
    CHECK(bounded_milliseconds(1500) == 1500ms);
    CHECK(bounded_milliseconds(UINT64_MAX) == std::chrono::days{365});
    CHECK(std::chrono::steady_clock::time_point{} + bounded_milliseconds(UINT64_MAX) >
          std::chrono::steady_clock::time_point{});
}

TEST_CASE("the earliest of several deadlines, where some are never") {
    using bgshell::platform::Instant;
    std::optional<Instant> earliest;
    keep_earlier(earliest, std::nullopt);
    CHECK_FALSE(earliest.has_value());
    keep_earlier(earliest, Instant{5ms});
    keep_earlier(earliest, Instant{7ms});
    keep_earlier(earliest, std::nullopt);
    CHECK(earliest == Instant{5ms});
    keep_earlier(earliest, Instant{3ms});
    CHECK(earliest == Instant{3ms});
}

TEST_CASE("what is left until a deadline is never negative") {
    using bgshell::platform::Instant;
    const auto left = time_left(Instant{3500ms}, Instant{1ms});
    CHECK(left.tv_sec == 3);
    CHECK(left.tv_nsec == 499'000'000);
    const auto past = time_left(Instant{1ms}, Instant{2ms});
    CHECK(past.tv_sec == 0);
    CHECK(past.tv_nsec == 0);
}
