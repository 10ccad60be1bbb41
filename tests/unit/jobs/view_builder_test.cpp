#include "jobs/view_builder.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "jobs/log_grep.hpp"
#include "text/json_size.hpp"
#include "text/utf8.hpp"
#include "unit/jobs/log_fixture.hpp"
#include "unit/text/random_bytes.hpp"

namespace bgshell::jobs::test {
namespace {

using keeper::IndexKind;
using store::Range;
using store::Stream;

struct ViewFixture : LogFixture {
    ViewBuilder builder(bool growing = false, Stream stream = Stream::both) {
        return value(ViewBuilder::open(reader(), {growing, 0}, stream));
    }
    text::Pattern pattern(std::string_view text) {
        return std::get<text::Pattern>(text::Pattern::parse(text));
    }
    OutputView grep(std::string_view text, std::size_t context_lines, std::size_t max_bytes,
                    std::uint64_t from = 0, Stream stream = Stream::both) {
        const LogGrep::Question question{pattern(text), context_lines, max_bytes, from, {}, stream};
        auto search = value(LogGrep::open(new_reader(), question));
        while (value(search.step())) {
        }
        return search.view();
    }
    void print_numbers(int from, int to) {
        std::string bytes;
        for (int i = from; i <= to; ++i) bytes += "line " + std::to_string(i) + "\n";
        print(bytes);
    }
};

// What every view of both streams must keep.
void check_sums(const OutputView& view, std::size_t budget) {
    CHECK(text::json_size(view.text) <= budget);
    CHECK(text::is_valid_utf8(view.text));
    std::uint64_t omitted = 0;
    for (const Omitted& part : view.omitted) {
        CHECK(part.range.from < part.range.to);
        CHECK(part.range.from >= view.range.from);
        CHECK(part.range.to <= view.range.to);
        CHECK(part.at <= view.text.size());
        omitted += part.range.size();
    }
    CHECK(omitted == view.omitted_bytes);
}

TEST_CASE_FIXTURE(ViewFixture, "a short log is shown whole") {
    print("one\n\x1b[1mtwo\x1b[0m\r\n");
    const OutputView view = value(builder().whole(0, 8000));
    CHECK(view.text == "one\ntwo\n");
    CHECK(view.range == Range{0, size()});
    CHECK(view.next == size());
    CHECK(view.omitted.empty());
    CHECK_FALSE(view.rolled);
}

TEST_CASE_FIXTURE(ViewFixture, "an absent and an empty log show nothing") {
    CHECK(value(builder().whole(0, 8000)).text.empty());
    CHECK_FALSE(value(builder().since(0, 8000)).again);
    CHECK(value(builder().tail(5, 8000)).text.empty());
    CHECK(value(builder().last_line()).empty());
    CHECK(grep("x", 0, 8000).matches_total == 0);
    print("");
    CHECK(value(builder().whole(0, 8000)).range == Range{0, 0});
}

TEST_CASE_FIXTURE(ViewFixture,
                  "a long log keeps its beginning and its only fatal line at the end") {
    std::string bytes;
    for (int i = 1; i <= 5000; ++i)
        bytes += "line " + std::to_string(i) + " padding padding padding\n";
    print(bytes + "FATAL: pool exhausted\n");
    const OutputView view = value(builder().whole(0, 8000));
    CHECK(view.text.starts_with("line 1 padding"));
    CHECK(view.text.ends_with("\nFATAL: pool exhausted\n"));
    REQUIRE(view.omitted.size() == 1);
    const Omitted& cut = view.omitted[0];
    CHECK(cut.at == cut.range.from);  // plain text: as many bytes shown as stored
    CHECK(view.text[cut.at - 1] == '\n');
    CHECK(view.text.size() - cut.at == view.range.to - cut.range.to);
    const std::string omitted = bytes.substr(cut.range.from, cut.range.size());
    CHECK(cut.lines ==
          static_cast<std::uint64_t>(std::count(omitted.begin(), omitted.end(), '\n')));
    CHECK(text::json_size(view.text) > 7500);
    check_sums(view, 8000);
}

TEST_CASE_FIXTURE(ViewFixture,
                  "200,000 four-byte emoji on one line: no view of any size cuts one") {
    std::string bytes;
    for (int i = 0; i < 200'000; ++i) bytes += "\U0001F600";
    print(bytes);
    ViewBuilder views = builder();
    for (std::size_t budget = 1000; budget <= 1040; ++budget) {
        CAPTURE(budget);
        const OutputView view = value(views.whole(0, budget));
        CHECK(view.text.find("\uFFFD") == std::string::npos);
        CHECK(view.text.size() + view.omitted_bytes == bytes.size());
        CHECK(view.text.size() % 4 == 0);
        check_sums(view, budget);
        const OutputView on = value(views.onward(2, budget));
        CHECK(on.range.from == 4);
        CHECK(on.text.find("\uFFFD") == std::string::npos);
        CHECK(on.next % 4 == 0);
        const OutputView end = value(views.tail(10, budget));
        CHECK(end.text.find("\uFFFD") == std::string::npos);
        CHECK(end.text.size() > budget - 4);
    }
}

TEST_CASE_FIXTURE(ViewFixture,
                  "a character that comes in pieces is never seen half, and no byte is lost") {
    std::uint64_t look = 0;
    std::string seen;
    for (const char* piece : {"a\xE2", "\x89", "\xA4", "\n\x1b[3", "1mred", "\x1b"}) {
        print(piece);
        const OutputView view = value(builder(true).since(look, 8000));
        CHECK(view.text.find("\uFFFD") == std::string::npos);
        if (!view.again) seen += view.text;
        look = view.next;
    }
    CHECK(seen == "a\u2264\nred");
    // Once nothing more can come, what is there is shown.
    print("\xE2\x89");
    CHECK(value(builder(true).since(0, 8000)).text == "a\u2264\nred");
    CHECK(value(builder(false).since(0, 8000)).text == "a\u2264\nred\uFFFD");
}

TEST_CASE_FIXTURE(ViewFixture, "binary output is text of known size") {
    print("\xFF\xFE\x80ok\n");
    print(
        std::string_view{"\x7F"
                         "ELF\0\1\2\r\n\xC3",
                         10});
    const OutputView view = value(builder().whole(0, 8000));
    CHECK(view.text == "\uFFFD\uFFFD\uFFFDok\nELF\n\uFFFD");
    CHECK(view.range == Range{0, 16});
}

TEST_CASE_FIXTURE(ViewFixture, "since the last look; nothing new shows the last lines again") {
    print_numbers(1, 10);
    const OutputView first = value(builder().since(0, 8000));
    print("new\n");
    const OutputView second = value(builder().since(first.next, 8000));
    CHECK(second.text == "new\n");
    CHECK(second.range == Range{first.next, size()});
    CHECK_FALSE(second.again);
    const OutputView third = value(builder().since(second.next, 8000));
    CHECK(third.again);
    CHECK(third.text == "line 7\nline 8\nline 9\nline 10\nnew\n");
    CHECK(third.range == Range{42, size()});
    CHECK(third.next == size());
    CHECK(third.omitted.empty());
    CHECK(value(builder().since(size() + 100, 8000)).again);
}

TEST_CASE_FIXTURE(ViewFixture, "reading on is uncut and comes to the end") {
    print_numbers(1, 2000);
    std::string all;
    std::uint64_t at = 0;
    for (int calls = 0; calls < 100 && at < size(); ++calls) {
        const OutputView view = value(builder().onward(at, 1000));
        CHECK(view.range.from == at);
        CHECK(view.range.to == view.next);
        CHECK(view.omitted.empty());
        check_sums(view, 1000);
        all += view.text;
        at = view.next;
    }
    CHECK(at == size());
    CHECK(all.ends_with("line 2000\n"));
    CHECK(all.size() == size());
    const OutputView past = value(builder().onward(size() + 5, 1000));
    CHECK(past.text.empty());
    CHECK(past.range == Range{size(), size()});
}

TEST_CASE_FIXTURE(ViewFixture, "the last lines, and what does not fit of them") {
    print_numbers(1, 1000);
    const OutputView three = value(builder().tail(3, 8000));
    CHECK(three.text == "line 998\nline 999\nline 1000\n");
    CHECK(three.omitted.empty());
    CHECK(three.range.to == size());
    const OutputView cut = value(builder().tail(100, 60));
    CHECK(cut.text.ends_with("line 1000\n"));
    REQUIRE(cut.omitted.size() == 1);
    CHECK(cut.omitted[0].at == 0);
    const auto shown =
        static_cast<std::uint64_t>(std::count(cut.text.begin(), cut.text.end(), '\n'));
    CHECK(cut.omitted[0].lines == 100 - shown);
    CHECK(value(builder().tail(5000, 32'000)).range.from == 0);
    CHECK(value(builder().tail(5, 8000, size() - 10)).text == "line 1000\n");
    CHECK(value(builder().tail(5, 8000, size())).text.empty());
}

TEST_CASE_FIXTURE(ViewFixture, "a hole is an omitted range wherever a view meets it") {
    print_numbers(1, 1000);
    punch(4096, 8192);
    const std::uint64_t end = size();
    const OutputView all = value(builder().whole(0, 32'000));
    CHECK(all.rolled);
    REQUIRE(all.omitted.size() == 1);
    CHECK(all.omitted[0].range == Range{4096, 8192});
    CHECK(all.omitted[0].at == 4096);
    CHECK(all.text.size() == end - 4096);
    check_sums(all, 32'000);
    // From inside of the hole.
    const OutputView inside = value(builder().onward(5000, 32'000));
    CHECK(inside.omitted.at(0).range == Range{5000, 8192});
    CHECK(inside.text.size() == end - 8192);
    // A cut swallows the hole.
    const OutputView small = value(builder().whole(0, 1000));
    REQUIRE(small.omitted.size() == 1);
    CHECK(small.omitted[0].range.from < 4096);
    CHECK(small.omitted[0].range.to > 8192);
    check_sums(small, 1000);
    CHECK(small.omitted_bytes == small.omitted[0].range.size());
    // Lines are numbered up to the hole only.
    const OutputView found = grep("line (1|1000)$", 0, 8000);
    REQUIRE(found.matches.size() == 2);
    CHECK(found.matches[0].line == 1);
    CHECK(found.matches[1].line == 0);
    CHECK(found.omitted.at(0).range == Range{4096, 8192});
    // All of the log is gone.
    punch(0, end);
    const OutputView gone = value(builder().whole(0, 1000));
    CHECK(gone.text.empty());
    CHECK(gone.omitted.at(0).range == Range{0, end});
}

TEST_CASE_FIXTURE(ViewFixture, "one stream of a split job") {
    print(IndexKind::out, "out 1\nou");
    print(IndexKind::err, "err 1\nerr");
    print(IndexKind::out, "t 2\nout 3\n");
    print(IndexKind::err, " 2\n");
    CHECK(value(builder().whole(0, 8000)).text == "out 1\nouerr 1\nerrt 2\nout 3\n 2\n");
    const OutputView out = value(builder(false, Stream::out).whole(0, 8000));
    CHECK(out.text == "out 1\nout 2\nout 3\n");
    CHECK(out.omitted.empty());
    CHECK(out.omitted_bytes == 0);
    CHECK(out.next == size());
    const OutputView err = value(builder(false, Stream::err).tail(1, 8000));
    CHECK(err.text == "err 2\n");
    const OutputView found = grep("err 2", 1, 8000, 0, Stream::err);
    CHECK(found.matches_total == 1);
    REQUIRE(found.matches.size() == 2);
    CHECK(found.matches[1].at == 14);
    CHECK(found.matches[1].text == "err 2");
    CHECK(found.matches[1].line == 0);
}

TEST_CASE_FIXTURE(ViewFixture, "a cut in one stream counts that stream's bytes") {
    for (int i = 0; i < 300; ++i) {
        print(IndexKind::out, "out " + std::to_string(i) + "\n");
        print(IndexKind::err, std::string(100, 'e') + "\n");
    }
    std::uint64_t total = 0;
    for (int i = 0; i < 300; ++i) total += 5 + std::to_string(i).size();
    const OutputView view = value(builder(false, Stream::out).whole(0, 500));
    CHECK(view.text.starts_with("out 0\n"));
    CHECK(view.text.ends_with("out 299\n"));
    CHECK(view.text.size() + view.omitted_bytes == total);
    const auto shown =
        static_cast<std::uint64_t>(std::count(view.text.begin(), view.text.end(), '\n'));
    CHECK(view.omitted.at(0).lines + shown == 300);
}

TEST_CASE_FIXTURE(ViewFixture, "grep tells what it found, where, and how much more there is") {
    print_numbers(1, 3000);
    const OutputView found = grep("7$", 0, 300);
    CHECK(found.searched);
    CHECK(found.matches_total == 300);
    CHECK(found.matches.front().text == "line 7");
    CHECK(found.matches.front().at == 42);
    CHECK(found.matches.front().line == 7);
    CHECK(found.matches.back().text == "line 2997");
    CHECK(found.matches.back().line == 2997);
    CHECK(found.matches_first > 5);
    CHECK(found.matches_first < found.matches.size());
    CHECK_FALSE(found.pattern_literal);
    CHECK(found.range == Range{0, size()});
    const OutputView later = grep("line 20$", 1, 300, 42);
    REQUIRE(later.matches.size() == 3);
    CHECK(later.matches[0].context);
    CHECK(later.matches[1].line == 20);
    CHECK(grep("line (1", 0, 300).pattern_literal);
}

TEST_CASE_FIXTURE(ViewFixture, "the last line is one that says something") {
    print("first\n\x1b[32mthe last\x1b[0m  50%\r60%\n \n\n");
    CHECK(value(builder().last_line()) == "60% last  50%");
    print("$ ");
    CHECK(value(builder().last_line()) == "$ ");
    print(std::string(20'000, 'x') + "\n");
    CHECK(value(builder().last_line()) == "$ " + std::string(198, 'x'));
    print("\r\x1b[K" + std::string(3'000'000, ' ') + "\n");
    CHECK(value(builder().last_line()).empty());
}

TEST_CASE_FIXTURE(ViewFixture,
                  "a huge log is read at its ends only, and says what it did not count") {
    print_numbers(1, 1000);
    extend(3ULL << 40);  // reading it would take the test an hour
    const std::uint64_t middle = size();
    print("\n");
    print_numbers(1001, 2000);
    const OutputView view = value(builder().whole(0, 2000));
    CHECK(view.text.starts_with("line 1\n"));
    CHECK(view.text.ends_with("line 2000\n"));
    REQUIRE(view.omitted.size() == 1);
    CHECK_FALSE(view.omitted[0].counted);
    check_sums(view, 2000);
    CHECK(value(builder().tail(3, 8000)).text == "line 1998\nline 1999\nline 2000\n");
    CHECK(value(builder().tail(100'000, 2000)).range.from > middle);
    CHECK(value(builder().last_line()) == "line 2000");
}

TEST_CASE_FIXTURE(ViewFixture, "lines that rolled off are not counted as none") {
    print_numbers(1, 4000);
    punch(4096, 8192);
    const OutputView view = value(builder().whole(0, 2000));
    REQUIRE(view.omitted.size() == 1);
    CHECK(view.omitted[0].lines > 1000);
    CHECK_FALSE(view.omitted[0].counted);
}

TEST_CASE_FIXTURE(ViewFixture, "a long progress bar shows as its last state at both ends") {
    std::string bytes = "start\n";
    for (int i = 0; i < 200'000; ++i) bytes += "\r" + std::to_string(i) + " of 200000";
    print(bytes + "\ndone\n");
    const OutputView view = value(builder().whole(0, 2000));
    CHECK(view.text.starts_with("start\n"));
    CHECK(view.text.ends_with("199999 of 200000\ndone\n"));
    check_sums(view, 2000);
}

TEST_CASE_FIXTURE(ViewFixture,
                  "any output: views keep their sums, and reading on shows what the whole shows") {
    text::test::RandomBytes random{9};
    for (int round = 0; round < 60; ++round) {
        print(random.next(1 + random.below(60)));
        if (round == 20) punch(10, 50);
        ViewBuilder views = builder(random.below(2) == 0);
        const std::size_t budget = 100 + random.below(900);
        CAPTURE(round);
        check_sums(value(views.whole(random.below(size() + 1), budget)), budget);
        check_sums(value(views.since(random.below(size() + 1), budget)), budget);
        check_sums(value(views.tail(1 + random.below(9), budget)), budget);
        std::uint64_t at = 0;
        while (at < views.end()) {
            const OutputView view = value(views.onward(at, budget));
            check_sums(view, budget);
            REQUIRE(view.range.from == at);
            REQUIRE(view.next > at);
            at = view.next;
        }
    }
}

}  // namespace
}  // namespace bgshell::jobs::test
