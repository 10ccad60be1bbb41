#include "transport/line_framer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using bgshell::transport::FramedLine;
using bgshell::transport::LineFramer;

namespace {

// The lines of `bytes` when they come in pieces of `piece`; "!" for one that is too long.
std::vector<std::string> lines_of(std::string_view bytes, std::size_t piece,
                                  std::size_t longest = 1000) {
    LineFramer framer{longest};
    std::vector<std::string> lines;
    const auto take = [&](const FramedLine& line) {
        lines.emplace_back(line.kind == FramedLine::Kind::line ? line.text : "!");
    };
    while (!bytes.empty()) {
        const auto space = framer.space();
        const std::size_t count = std::min({piece, space.size(), bytes.size()});
        REQUIRE(count > 0);
        std::copy_n(bytes.begin(), count, space.begin());
        framer.filled(count);
        bytes.remove_prefix(count);
        while (const auto line = framer.next()) take(*line);
    }
    if (const auto line = framer.end()) take(*line);
    return lines;
}

}  // namespace

TEST_CASE("lines are the same whatever the pieces") {
    const std::string bytes = "one\n\r\n\ntwo\r\nthree \r x\n\"ü\"\nlast";
    const std::vector<std::string> right{"one", "two", "three \r x", "\"ü\"", "last"};
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
        CAPTURE(piece);
        CHECK(lines_of(bytes, piece) == right);
    }
    CHECK(lines_of("", 1).empty());
    CHECK(lines_of("a\n", 1) == std::vector<std::string>{"a"});
}

TEST_CASE("a line that is too long is told once and dropped up to its newline") {
    const std::string longest(10, 'x');
    const std::string bytes =
        longest + "\n" + longest + "y\nnext\n" + std::string(5000, 'z') + "\nend";
    const std::vector<std::string> right{longest, "!", "next", "!", "end"};
    for (const std::size_t piece : {1U, 2U, 3U, 11U, 12U, 100U, 10'000U}) {
        CAPTURE(piece);
        CHECK(lines_of(bytes, piece, 10) == right);
    }
    CHECK(lines_of(std::string(50, 'x'), 7, 10) == std::vector<std::string>{"!"});
}

TEST_CASE("memory is bounded by the longest line") {
    LineFramer framer{std::size_t{1} << 20};
    std::size_t most = 0;
    bool told = false;
    for (int round = 0; round < 1000; ++round) {
        const auto space = framer.space();
        most = std::max(most, space.size());
        std::fill(space.begin(), space.end(), 'x');
        framer.filled(space.size());
        while (framer.next()) told = true;
    }
    CHECK(told);
    CHECK(most <= std::size_t{2} << 20);
}

TEST_CASE("a long line is whole") {
    const std::string line(300'000, 'x');
    CHECK(lines_of(line + "\nb\n" + line, 70'000, line.size()) ==
          std::vector<std::string>{line, "b", line});
}
