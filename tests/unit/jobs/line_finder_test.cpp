#include "jobs/line_finder.hpp"

#include <doctest/doctest.h>

#include "unit/jobs/log_fixture.hpp"

namespace bgshell::jobs::test {
namespace {

struct FinderFixture : LogFixture {
    int steps = 0;

    std::uint64_t line_at(std::uint64_t position) {
        auto output = value(LogOutput::open(reader()));
        LineFinder finder{position};
        for (steps = 1; value(finder.step(output)); ++steps) {
        }
        return finder.line();
    }
};

TEST_CASE_FIXTURE(FinderFixture, "a line has the number that an editor shows") {
    print("a\nb\nc");
    CHECK(line_at(0) == 1);
    CHECK(line_at(1) == 1);
    CHECK(line_at(2) == 2);
    CHECK(line_at(5) == 3);
}

TEST_CASE_FIXTURE(FinderFixture, "a line far into a log is found in small steps") {
    std::string lines(9 << 20, 'x');
    for (std::size_t at = 1023; at < lines.size(); at += 1024) lines[at] = '\n';
    print(lines);
    CHECK(line_at(lines.size()) == 9 * 1024 + 1);
    CHECK(steps == 3);
}

TEST_CASE_FIXTURE(FinderFixture, "a line behind a hole, or behind too much, has no number") {
    print(std::string(8192, '\n') + "end");
    punch(0, 4096);
    CHECK(line_at(8192) == 0);
    CHECK(line_at(LogOutput::kMaxCounted + 1) == 0);
    CHECK(steps == 1);
}

}  // namespace
}  // namespace bgshell::jobs::test
