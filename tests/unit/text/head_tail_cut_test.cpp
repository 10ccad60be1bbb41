#include "text/head_tail_cut.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/json_size.hpp"
#include "text/terminal_cleaner.hpp"
#include "text/utf8.hpp"
#include "unit/text/random_bytes.hpp"

using namespace bgshell::text;

TEST_CASE("lines are kept whole while they fit") {
    const std::string raw = "one\ntwo\nthree\n";
    const Head head = cut_head(raw, 11);  // each newline is written as two bytes
    CHECK(head.text == "one\ntwo\n");
    CHECK(head.to == 8);
    const Tail tail = cut_tail(raw, 13);
    CHECK(tail.text == "two\nthree\n");
    CHECK(tail.from == 4);
    CHECK(tail.lines == 2);
    CHECK(cut_tail(raw, 1000, 1).text == "three\n");
    CHECK(cut_tail(raw, 1000, 0).text.empty());
    CHECK(cut_head(raw, 1000).to == raw.size());
    CHECK(cut_tail(raw, 1000).from == 0);
    CHECK(cut_tail("\n\n", 1000).lines == 2);
    CHECK(cut_tail("a\nb", 1000, 1).text == "b");
}

TEST_CASE("a line longer than the budget is cut at a character") {
    std::string raw;
    for (int i = 0; i < 1000; ++i) raw += "\U0001F600";
    const Head head = cut_head(raw, 10);
    CHECK(head.text == "\U0001F600\U0001F600");
    CHECK(head.to == 8);
    const Tail tail = cut_tail(raw, 10);
    CHECK(tail.text == "\U0001F600\U0001F600");
    CHECK(tail.from == raw.size() - 8);
}

TEST_CASE("a cut never leaves a part of a control sequence") {
    std::string raw;
    for (int i = 0; i < 300; ++i) raw += "\x1b[38;5;196mx\x1b[0m";
    for (std::size_t budget = 1; budget < 40; ++budget) {
        CHECK(cut_head(raw, budget).text == std::string(budget, 'x'));
        const Tail tail = cut_tail(raw, budget);
        CHECK(tail.text.find_first_not_of('x') == std::string::npos);
        CHECK(clean(std::string_view{raw}.substr(tail.from)) == tail.text);
    }
    for (std::size_t at = 0; at < 30; ++at) {
        const std::string text = clean(std::string_view{raw}.substr(whole_start(raw, at), 16 * 4));
        CHECK(text.find_first_not_of('x') == std::string::npos);
    }
}

TEST_CASE("a progress bar counts as what it shows") {
    std::string raw = "downloading\n";
    for (int i = 0; i < 5000; ++i) raw += std::to_string(i) + " of 5000\r";
    raw += "\ndone\n";
    const Head head = cut_head(raw, 60);
    CHECK(head.text == "downloading\n4999 of 5000\ndone\n");
    CHECK(head.to == raw.size());
    CHECK(cut_tail(raw, 60).text == head.text);
}

TEST_CASE("the end of growing output is held back where a character or sequence is not complete") {
    CHECK(whole_length("abc") == 3);
    CHECK(whole_length("abc\xE2\x89") == 3);
    CHECK(whole_length("abc\x1b[3") == 3);
    CHECK(whole_length("abc\x1b[31m") == 8);
    CHECK(whole_length("abc\x1b]0;t\n") == 9);
    CHECK(whole_length("abc\xFF") == 4);
}

TEST_CASE("any bytes: head and tail stay in budget, are what their range shows, and miss no byte") {
    test::RandomBytes random{6};
    for (int round = 0; round < 3000; ++round) {
        const std::string raw = random.next(1 + random.below(60));
        const std::size_t budget = random.below(120);
        CAPTURE(raw);
        CAPTURE(budget);
        const Head head = cut_head(raw, budget);
        REQUIRE(json_size(head.text) <= budget);
        REQUIRE(json_size(head.text) == head.size);
        REQUIRE(head.text == clean(std::string_view{raw}.substr(0, head.to)));
        const Tail tail = cut_tail(raw, budget);
        REQUIRE(json_size(tail.text) <= budget);
        REQUIRE(json_size(tail.text) == tail.size);
        REQUIRE(tail.text == clean(std::string_view{raw}.substr(tail.from)));
        if (json_size(clean(raw)) <= budget) {
            REQUIRE(head.to == raw.size());
            REQUIRE(tail.from == 0);
        }
        const std::size_t at = random.below(raw.size() + 1);
        const std::size_t start = whole_start(raw, at);
        REQUIRE(start >= at);
        REQUIRE(next_boundary(raw, start) == start);
        REQUIRE(whole_length(raw) <= raw.size());
    }
}

TEST_CASE("many lines, clean ones and others, are cut as if each were looked at") {
    std::string raw;
    std::string cleaned;
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < 2000; ++i) {
        const std::string line = "line " + std::to_string(i) + std::string(i % 40, '.') + "\n";
        starts.push_back(raw.size());
        raw += (i % 500 == 499 ? "\x1b[1m" : "") + line;
        cleaned += line;
    }
    const std::size_t all = json_size(cleaned);
    for (std::size_t budget = 100; budget < 80'000; budget += 777) {
        CAPTURE(budget);
        const Head head = cut_head(raw, budget);
        REQUIRE(head.size <= budget);
        REQUIRE(cleaned.starts_with(head.text));
        REQUIRE(head.size + 60 > std::min(budget, all));
        const Tail tail = cut_tail(raw, budget);
        REQUIRE(tail.size <= budget);
        REQUIRE(cleaned.ends_with(tail.text));
        REQUIRE(tail.size + 60 > std::min(budget, all));
    }
    for (const std::size_t lines : {1U, 7U, 300U, 1999U, 2000U, 3000U}) {
        const Tail tail = cut_tail(raw, 1 << 20, lines);
        REQUIRE(tail.lines == std::min<std::size_t>(lines, 2000));
        REQUIRE(tail.from == starts.at(2000 - tail.lines));
    }
}
