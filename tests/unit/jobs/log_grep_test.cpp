#include "jobs/log_grep.hpp"

#include <doctest/doctest.h>

#include "unit/jobs/log_fixture.hpp"

namespace bgshell::jobs::test {
namespace {

using keeper::IndexKind;
using store::Range;
using store::Stream;

struct GrepFixture : LogFixture {
    LogGrep open(std::string_view pattern, Stream stream = Stream::both, KnownLog known = {}) {
        const LogGrep::Question question{
            std::get<text::Pattern>(text::Pattern::parse(pattern)), 0, 8000, 0, known, stream};
        return value(LogGrep::open(new_reader(), question));
    }
    // Prints lines of dots up to `end`, the last one not ended.
    void fill(std::uint64_t end) {
        std::string bytes(end - size(), '.');
        for (std::size_t at = 63; at + 1 < bytes.size(); at += 64) bytes[at] = '\n';
        print(bytes);
    }
};

TEST_CASE_FIXTURE(GrepFixture, "a search in a log that lost its end says what it lacks") {
    print("needle\nhay\n");
    auto grep = open("needle", Stream::both, KnownLog{false, 100});
    while (value(grep.step())) {
    }
    const OutputView view = grep.view();
    CHECK(view.matches_total == 1);
    CHECK(view.missing == Range{11, 100});
    CHECK(view.omitted_bytes == 89);
}

TEST_CASE_FIXTURE(GrepFixture, "a search in one stream says where it searched both") {
    print(IndexKind::out, "needle\n");
    print(IndexKind::mixed, "needles\n");
    auto grep = open("needle", Stream::err);
    while (value(grep.step())) {
    }
    CHECK(grep.view().matches_total == 1);
    CHECK(grep.view().mixed == std::vector{Range{7, 15}});
}

TEST_CASE_FIXTURE(GrepFixture, "what rolls off before the search comes to it is told as a hole") {
    fill(LogGrep::kStep + 4000);
    print("needle\n");
    fill(LogGrep::kStep + 9000);
    print("\nneedle\n");
    LogGrep grep = open("needle");
    REQUIRE(value(grep.step()));
    punch(1000, LogGrep::kStep + 8000);
    CHECK_FALSE(value(grep.step()));
    const OutputView view = grep.view();
    CHECK(view.matches_total == 1);
    CHECK(view.rolled);
    REQUIRE(view.omitted.size() == 1);
    CHECK(view.omitted[0].range == Range{1000, LogGrep::kStep + 8000});
    CHECK(view.omitted_bytes == view.omitted[0].range.size());
}

TEST_CASE_FIXTURE(GrepFixture, "a hole made meanwhile does not join two halves of lines") {
    print(IndexKind::out, "begin\n");
    fill(LogGrep::kStep - 3);
    print("\nne");
    fill(LogGrep::kStep + 8000);
    print("edle\n");
    LogGrep grep = open("needle", Stream::out);
    REQUIRE(value(grep.step()));
    punch(LogGrep::kStep, LogGrep::kStep + 8000);
    CHECK_FALSE(value(grep.step()));
    CHECK(grep.view().matches_total == 0);
}

TEST_CASE_FIXTURE(GrepFixture, "the lines of one stream go on over the bytes of the other") {
    print(IndexKind::out, "ne");
    print(IndexKind::err, "error\n");
    print(IndexKind::out, "edle\nneedle\n");
    LogGrep grep = open("needle", Stream::out);
    CHECK_FALSE(value(grep.step()));
    const OutputView view = grep.view();
    REQUIRE(view.matches.size() == 2);
    CHECK(view.matches[0].at == 0);
    CHECK(view.matches[1].at == 13);
}

}  // namespace
}  // namespace bgshell::jobs::test
