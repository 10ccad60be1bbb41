#include "text/line_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "text/utf8.hpp"
#include "unit/text/random_bytes.hpp"

using namespace bgshell::text;

namespace {

Pattern pattern(std::string_view text) {
    return std::get<Pattern>(Pattern::parse(text));
}

LineSearch::Options everything(std::size_t before = 0, std::size_t after = 0) {
    LineSearch::Options options;
    options.first_bytes = 1 << 30;
    options.before = before;
    options.after = after;
    return options;
}

LineSearch search_all(std::string_view text, std::string_view raw,
                      const LineSearch::Options& options, std::size_t piece = 1 << 20) {
    LineSearch search{pattern(text), options};
    for (std::size_t at = 0; at < raw.size(); at += piece) search.feed(at, raw.substr(at, piece));
    search.finish();
    return search;
}

// One line a row: position, number, - or : as grep has it, text.
std::string shown(const LineSearch& search) {
    std::string out;
    const auto add = [&out](const FoundLine& line) {
        out += std::to_string(line.at) + " " + std::to_string(line.line) +
               (line.context ? "-" : ":") + line.text + "\n";
    };
    std::for_each(search.first().begin(), search.first().end(), add);
    if (!search.last().empty()) out += "...\n";
    std::for_each(search.last().begin(), search.last().end(), add);
    return out;
}

// The same by the plainest means: every line cleaned and matched on its own.
std::string expected(std::string_view text, std::string_view raw, std::size_t before,
                     std::size_t after) {
    const Pattern read = pattern(text);
    struct Line {
        std::size_t at;
        std::string text;
        bool match;
    };
    std::vector<Line> lines;
    for (std::size_t at = 0; at < raw.size();) {
        const std::size_t end = std::min(raw.find('\n', at), raw.size());
        std::string line = clean_ended_line(raw.substr(at, end - at));
        bool match = read.matches(line);
        if (end == raw.size()) {
            // An open line may be a prompt: the blanks at its end are its own.
            const std::string open = clean(raw.substr(at));
            match = read.matches(open);
            if (match) line = open;
        }
        lines.push_back({at, std::move(line), match});
        at = end + 1;
    }
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        bool near = false;
        for (std::size_t j = i >= after ? i - after : 0; j <= i + before && j < lines.size(); ++j) {
            near = near || lines[j].match;
        }
        if (!near) continue;
        out += std::to_string(lines[i].at) + " " + std::to_string(i + 1) +
               (lines[i].match ? ":" : "-") + lines[i].text + "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("matching lines come with position, number and context") {
    const std::string raw = "a\nb\nERR 1\nc\nERR 2\nd\ne\nf\nERR 3";
    CHECK(shown(search_all("ERR", raw, everything())) == "4 3:ERR 1\n12 5:ERR 2\n24 9:ERR 3\n");
    CHECK(shown(search_all("ERR", raw, everything(1, 1))) ==
          "2 2-b\n4 3:ERR 1\n10 4-c\n12 5:ERR 2\n18 6-d\n22 8-f\n24 9:ERR 3\n");
    CHECK(search_all("ERR", raw, everything()).total() == 3);
    CHECK(search_all("none", raw, everything()).total() == 0);
}

TEST_CASE("lines are matched as they are shown") {
    const std::string raw = "\x1b[31mer\x1b[0mror\n50%\rerror\x1b[K\nerror\r\nok\rno\n";
    const LineSearch search = search_all("^error$", raw, everything());
    CHECK(search.total() == 3);
    CHECK(search.first().at(0).text == "error");
}

TEST_CASE("the first and the last matches stay, all are counted") {
    std::string raw;
    for (int i = 1; i <= 1000; ++i) raw += "match " + std::to_string(i) + "\n";
    LineSearch::Options options;
    options.first_bytes = 60;
    options.last_bytes = 40;
    const LineSearch search = search_all("match", raw, options);
    CHECK(search.total() == 1000);
    CHECK(search.first().front().line == 1);
    CHECK(search.first().size() == 4);
    CHECK(search.last().back().line == 1000);
    CHECK(search.last().size() == 2);
    options.first_matches = 1;
    options.last_matches = 1;
    options.last_bytes = 1 << 20;
    const LineSearch two = search_all("match", raw, options);
    CHECK(two.first().size() == 1);
    CHECK(two.last().size() == 1);
    CHECK(two.last().front().line == 1000);
}

TEST_CASE("context that does not fit goes before a match does") {
    std::string raw;
    for (int i = 1; i <= 100; ++i) raw += (i % 10 == 0 ? "match\n" : "context line\n");
    LineSearch::Options options;
    options.first_bytes = 10;
    options.last_bytes = 30;
    options.before = 3;
    options.after = 3;
    const LineSearch search = search_all("match", raw, options);
    CHECK(search.total() == 10);
    CHECK(search.first().empty());
    CHECK(std::count_if(search.last().begin(), search.last().end(),
                        [](const FoundLine& line) { return !line.context; }) == 1);
}

TEST_CASE("a long line is shown around its match and counts once") {
    std::string raw(3'000'000, 'x');
    raw.replace(2'500'000, 6, "needle");
    raw.replace(2'600'000, 6, "needle");
    raw += "\nneedle\n";
    for (const std::size_t piece : {std::size_t{65536}, std::size_t{1} << 20, raw.size()}) {
        const LineSearch search = search_all("needle", raw, everything(), piece);
        REQUIRE(search.total() == 2);
        CHECK(search.first().at(0).at == 0);
        CHECK(search.first().at(0).text.size() <= 200);
        CHECK(search.first().at(0).text.find("needle") != std::string::npos);
        CHECK(search.first().at(1).line == 2);
        CHECK(search.first().at(1).at == 3'000'001);
    }
    std::string wide;
    for (int i = 0; i < 1000; ++i) wide += "\U0001F600";
    const LineSearch search = search_all("\U0001F600$", wide, everything());
    CHECK(is_valid_utf8(search.first().at(0).text));
    CHECK(search.first().at(0).text.size() <= 200);
}

TEST_CASE("a hole ends the open line and the numbering") {
    LineSearch search{pattern("match"), everything(1, 1)};
    search.feed(0, "before\nmatch and its be");
    search.feed(5000, "end of a line\nmatch\n");
    search.finish();
    CHECK(shown(search) ==
          "0 1-before\n7 2:match and its be\n5000 0-end of a line\n5014 0:match\n");
}

TEST_CASE("a prompt is taken as it stands and not twice") {
    LineSearch search{pattern("\\$ $"), everything()};
    search.feed(0, "hello\nuser@host:~$ ");
    CHECK(search.total() == 0);
    search.take_open_line();
    search.take_open_line();
    CHECK(search.total() == 1);
    CHECK(search.first().front().text == "user@host:~$ ");
    search.feed(19, "ls\n$ ");
    search.finish();
    CHECK(search.total() == 2);
    CHECK(search.first().back().line == 3);
}

TEST_CASE("any bytes in any pieces: the same lines as by the plainest means") {
    test::RandomBytes random{7};
    for (int round = 0; round < 1000; ++round) {
        const std::string raw = random.next(1 + random.below(80));
        const std::size_t before = random.below(4);
        const std::size_t after = random.below(4);
        for (const char* text : {"a", "^$", "wor.\\b", "\\Aa", "[^a]$", "e|\\d+", "$", "\"\\"}) {
            const LineSearch search =
                search_all(text, raw, everything(before, after), 1 + random.below(raw.size()));
            CAPTURE(raw);
            CAPTURE(text);
            REQUIRE(shown(search) == expected(text, raw, before, after));
        }
    }
}

TEST_CASE("clean text of many blocks: the same lines as by the plainest means") {
    test::RandomBytes random{8};
    std::string raw;
    for (int i = 0; i < 20'000; ++i) {
        raw +=
            random.below(50) == 0 ? "needle in line\n" : std::string(random.below(30), 'x') + "\n";
        if (random.below(3000) == 0) raw += "\x1b[1mneedle\x1b[0m\n";
    }
    for (const char* text : {"needle", "n[e]+dle", "^x{29}$", "^$"}) {
        const LineSearch search = search_all(text, raw, everything(2, 1), 100'000);
        CHECK(shown(search) == expected(text, raw, 2, 1));
    }
}
