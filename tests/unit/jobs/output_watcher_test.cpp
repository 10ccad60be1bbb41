#include "jobs/output_watcher.hpp"

#include <doctest/doctest.h>

#include "unit/jobs/log_fixture.hpp"

namespace bgshell::jobs::test {
namespace {

struct Fixture : LogFixture {
    static OutputWatcher watcher(std::string_view text, std::uint64_t from = 0) {
        return {std::get<text::Pattern>(text::Pattern::parse(text)), from};
    }
    void advance(OutputWatcher& watcher) {
        for (int steps = 0; value(watcher.advance(reader())); ++steps) REQUIRE(steps < 100);
    }
};

TEST_CASE_FIXTURE(Fixture, "what was there before the watch counts, with the lines before it") {
    print("a\nb\nc\nready on 5173\nd\n");
    OutputWatcher watch = watcher("ready");
    advance(watch);
    REQUIRE(watch.first().has_value());
    CHECK(watch.first()->match.text == "ready on 5173");
    CHECK(watch.first()->match.at == 6);
    CHECK(watch.first()->match.line == 4);
    CHECK(watch.first()->before == std::vector<std::string>{"b", "c"});
    CHECK(watch.first()->next == 20);
    CHECK(watch.matches() == 1);
}

TEST_CASE_FIXTURE(Fixture, "a line that comes in pieces matches when it is whole") {
    OutputWatcher watch = watcher("^Found \\d+ errors$");
    advance(watch);
    for (const char* piece : {"Fou", "nd 3", " errors", "\x1b[0", "m", "\r"}) {
        print(piece);
        advance(watch);
        CHECK(watch.matches() == 0);
    }
    print("\n");
    advance(watch);
    REQUIRE(watch.matches() == 1);
    CHECK(watch.first()->match.text == "Found 3 errors");
    print("x\nFound 4 errors\n");
    advance(watch);
    CHECK(watch.matches() == 2);
    CHECK(watch.first()->match.text == "Found 3 errors");
}

TEST_CASE_FIXTURE(Fixture, "a prompt counts once output is quiet, and only once") {
    print("hello\n(gdb) ");
    OutputWatcher watch = watcher("(gdb) ");
    advance(watch);
    CHECK(watch.matches() == 0);
    watch.quiet();
    watch.quiet();
    CHECK(watch.matches() == 1);
    CHECK(watch.first()->match.at == 6);
    CHECK(watch.first()->next == 12);
    print("run\n");
    advance(watch);
    watch.quiet();
    CHECK(watch.matches() == 1);
    print("(gdb) ");
    advance(watch);
    watch.ended();
    CHECK(watch.matches() == 2);
}

TEST_CASE_FIXTURE(Fixture,
                  "a later watch begins behind the last match and knows its line numbers") {
    print("Found 3 errors\nwatching\n");
    OutputWatcher first = watcher("Found");
    advance(first);
    OutputWatcher second = watcher("Found", first.first()->next);
    advance(second);
    CHECK(second.matches() == 0);
    print("Found 2 errors\n");
    advance(second);
    REQUIRE(second.matches() == 1);
    CHECK(second.first()->match.line == 3);
    CHECK(second.first()->before == std::vector<std::string>{"watching"});
    CHECK(second.position() == size());
}

TEST_CASE_FIXTURE(Fixture, "a hole ends a line, and its far side has no number") {
    print("abc\nmatch and more\nmatch\n");
    punch(9, 16);
    OutputWatcher watch = watcher("match");
    advance(watch);
    CHECK(watch.matches() == 2);
    CHECK(watch.first()->match.text == "match");
    OutputWatcher behind = watcher("match", 17);
    advance(behind);
    CHECK(behind.first()->match.line == 0);
}

TEST_CASE_FIXTURE(Fixture, "a flood is read in steps") {
    std::string line(1023, 'x');
    line += '\n';
    std::string mebibyte;
    for (int i = 0; i < 1024; ++i) mebibyte += line;
    print(mebibyte + "match\n");
    OutputWatcher watch = watcher("match");
    for (std::uint64_t step = 1; step <= 4; ++step) {
        CHECK(value(watch.advance(reader())));
        CHECK(watch.position() == step * OutputWatcher::kMaxStep);
    }
    CHECK_FALSE(value(watch.advance(reader())));
    CHECK(watch.first()->match.line == 1024 + 1);
}

TEST_CASE_FIXTURE(Fixture, "an invalid expression is taken literally and says so") {
    print("call foo(bar)\n");
    OutputWatcher watch = watcher("foo(bar");
    advance(watch);
    CHECK(watch.pattern_literal());
    CHECK(watch.matches() == 1);
}

}  // namespace
}  // namespace bgshell::jobs::test
