#include "jobs/log_output.hpp"

#include <doctest/doctest.h>

#include "jobs/view_builder.hpp"
#include "unit/jobs/log_fixture.hpp"

namespace bgshell::jobs::test {

using keeper::IndexKind;
using store::Range;
using store::Stream;

TEST_CASE_FIXTURE(LogFixture, "a log that lost its end is shown with the loss as a hole") {
    print("one\ntwo\n");
    ViewBuilder views = value(ViewBuilder::open(reader(), {true, 100}));
    for (const OutputView& view : {value(views.whole(0, 8000)), value(views.since(0, 8000))}) {
        CHECK(view.text == "one\ntwo\n");
        CHECK(view.missing == Range{8, 100});
        CHECK(view.next == 100);
        REQUIRE(view.omitted.size() == 1);
        CHECK(view.omitted[0].range == Range{8, 100});
        CHECK_FALSE(view.omitted[0].counted);
        CHECK(view.omitted_bytes == 92);
    }
    const OutputView tail = value(views.tail(1, 8000));
    CHECK(tail.text == "two\n");
    CHECK(tail.missing == Range{8, 100});
    const OutputView onward = value(views.onward(4, 8000));
    CHECK(onward.next == 8);
    CHECK(onward.missing.size() == 0);
    CHECK(value(views.onward(8, 8000)).missing == Range{8, 100});
    CHECK(value(views.last_line()) == "two");
}

TEST_CASE_FIXTURE(LogFixture, "a log that is gone is no empty one") {
    const OutputView view = value(value(ViewBuilder::open(reader(), {false, 100})).since(0, 8000));
    CHECK(view.text.empty());
    CHECK(view.missing == Range{0, 100});
    CHECK(view.omitted_bytes == 100);
}

TEST_CASE_FIXTURE(LogFixture, "a log that is as long as is known lacks nothing") {
    print("one\n");
    CHECK(value(value(ViewBuilder::open(reader(), {true, 4})).whole(0, 99)).missing.size() == 0);
    CHECK(value(value(ViewBuilder::open(reader(), {true, 2})).whole(0, 99)).missing.size() == 0);
}

TEST_CASE_FIXTURE(LogFixture, "a view of one stream names what may be of the other") {
    print(IndexKind::out, "out\n");
    print(IndexKind::err, "err\n");
    print(IndexKind::mixed, "either\n");
    const OutputView view =
        value(value(ViewBuilder::open(reader(), {}, Stream::out)).whole(0, 8000));
    CHECK(view.text == "out\neither\n");
    CHECK(view.mixed == std::vector{Range{8, 15}});
    CHECK(value(value(ViewBuilder::open(reader(), {}, Stream::out)).onward(8, 8000)).mixed ==
          std::vector{Range{8, 15}});
    CHECK(value(value(ViewBuilder::open(reader(), {}, Stream::both)).whole(0, 8000)).mixed.empty());
}

}  // namespace bgshell::jobs::test
