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
