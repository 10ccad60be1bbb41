#include "mcp/progress.hpp"

#include <doctest/doctest.h>

#include "mcp/log_burst.hpp"

using namespace std::chrono_literals;
using namespace bgshell::mcp;
using bgshell::platform::Instant;

TEST_CASE("progress counts seconds, and grows even where time does not") {
    const Instant start{100s};
    Progress progress{"t", true, start};
    CHECK(progress.due() == start + 10s);
    auto params = progress.next(start + 11s, "busy");
    CHECK(params ==
          boost::json::object{{"progressToken", "t"}, {"progress", 11}, {"message", "busy"}});
    CHECK(progress.due() == start + 21s);
    CHECK(progress.next(start + 11s, "").at("progress") == 12);
    CHECK(progress.next(start + 31s, "").at("progress") == 31);
}

TEST_CASE("progress echoes the token's type and knows where a message is unknown") {
    Progress progress{5, false, Instant{}};
    const auto params = progress.next(Instant{10s}, "busy");
    CHECK(params == boost::json::object{{"progressToken", 5}, {"progress", 10}});
}

TEST_CASE("a burst is one message of the gravest level") {
    LogBurst burst;
    CHECK(burst.empty());
    CHECK(burst.add(LogLevel::info, "a"));
    CHECK(!burst.add(LogLevel::warning, "b"));
    CHECK(!burst.add(LogLevel::info, "c"));
    CHECK(burst.take() ==
          boost::json::object{{"level", "warning"}, {"logger", "jobs"}, {"data", "a\nb\nc"}});
    CHECK(burst.empty());
    CHECK(burst.add(LogLevel::debug, "d"));
    CHECK(burst.take().at("level") == "debug");
}

TEST_CASE("a flood of lines is cut and counted") {
    LogBurst burst;
    for (int line = 0; line < 100; ++line) burst.add(LogLevel::info, "x");
    const auto params = burst.take();
    const std::string data{std::string_view{params.at("data").as_string()}};
    CHECK(data.size() == 20 * 2 + std::string{"and 80 more"}.size());
    CHECK(data.ends_with("x\nand 80 more"));
}

TEST_CASE("levels have their wire names") {
    CHECK(find_log_level("emergency") == LogLevel::emergency);
    CHECK(name_of(LogLevel::notice) == "notice");
    CHECK(!find_log_level("INFO"));
    CHECK(!find_log_level(""));
}
