#include "tools/arguments.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <limits>

using bgshell::tools::Arguments;

TEST_CASE("arguments: a whole number too large for us is the largest") {
    constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();
    const struct {
        const char* given;
        std::uint64_t read;
    } cases[] = {
        {R"({"from":0})", 0},
        {R"({"from":1e16})", 10'000'000'000'000'000},
        {R"({"from":18446744073709551615})", kLargest},
        {R"({"from":18446744073709551616})", kLargest},
        {R"({"from":1e300})", kLargest},
    };
    for (const auto& one : cases) {
        CAPTURE(one.given);
        const auto values = boost::json::parse(one.given).as_object();
        CHECK(Arguments{values}.find_whole("from") == one.read);
    }
}
