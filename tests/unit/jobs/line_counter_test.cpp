#include "jobs/line_counter.hpp"

#include <doctest/doctest.h>

#include "unit/jobs/log_fixture.hpp"

namespace bgshell::jobs::test {
namespace {

using store::Range;

struct CounterFixture : LogFixture {
    LineCounter counter;

    std::uint64_t count(Range range) {
        while (true) {
            const auto lines = value(counter.count(reader(), range));
            if (lines) return *lines;
        }
    }
    std::uint64_t count_anew(Range range) {
        counter = {};
        return count(range);
    }
};

std::string lines(std::size_t count) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) bytes += std::string(i % 7, 'x') + "\n";
    return bytes;
}

TEST_CASE_FIXTURE(CounterFixture, "unread lines are the full ones") {
    print("1\n2\n3\nhalf a");
    CHECK(count({0, size()}) == 3);
    CHECK(count({2, size()}) == 2);
    CHECK(count({size(), size() + 9}) == 0);
}

TEST_CASE_FIXTURE(CounterFixture, "a growing log counts as one that is counted anew") {
    for (int i = 0; i < 5; ++i) {
        print(lines(50'000));
        const Range range{static_cast<std::uint64_t>(i) * 1000, size()};
        const auto again = count(range);
        CHECK(counter.known(range) == again);
        CHECK_FALSE(counter.known({range.from, range.to + 1}));
        LineCounter kept = counter;
        CHECK(again == count_anew(range));
        counter = kept;
    }
}

TEST_CASE_FIXTURE(CounterFixture, "what was rolled off is not counted, wherever the hole ends") {
    print(lines(200'000));
    const auto before = count({0, size()});
    CHECK(before == 200'000);
    punch(4096, 300 * 1024);
    const auto after = count({0, size()});
    CHECK(after < before);
    CHECK(after == count_anew({0, size()}));
}

TEST_CASE_FIXTURE(CounterFixture, "a lot is counted a little at a time, too much not at all") {
    print("\n");
    extend(20 << 20);
    print("\n");
    CHECK_FALSE(value(counter.count(reader(), {0, size()})));
    CHECK(count({0, size()}) == 2);
    extend(3ULL << 40);  // reading it would take the test an hour
    CHECK(count({0, size()}) == LineCounter::kTooMuch);
}

TEST_CASE_FIXTURE(CounterFixture, "a log that is all holes and pieces is counted in the end") {
    print(lines(2'000'000));
    for (std::uint64_t at = 30'000; at < size(); at += 60'000) punch(at, at + 1);
    REQUIRE(size() > 7 << 20);
    const Range range{5, size()};
    std::optional<std::uint64_t> counted;
    for (int call = 0; call < 4 && !counted; ++call)
        counted = value(counter.count(reader(), range));
    CHECK(counted.value_or(0) > 1'900'000);
}

}  // namespace
}  // namespace bgshell::jobs::test
