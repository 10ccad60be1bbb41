#include "text/newlines.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "unit/text/random_bytes.hpp"

using bgshell::text::count_newlines;
using bgshell::text::line_start;

TEST_CASE("newlines are counted exactly at any length") {
    CHECK(count_newlines("") == 0);
    CHECK(count_newlines("a\nb") == 1);
    // More than 255 rounds of 16 newlines each: the byte counters must not wrap.
    CHECK(count_newlines(std::string(16 * 600 + 3, '\n')) == 16 * 600 + 3);
    bgshell::text::test::RandomBytes random{4};
    const std::string bytes = random.next(500);
    for (std::size_t from = 0; from < 64; ++from) {
        const std::string_view part = std::string_view{bytes}.substr(from, bytes.size() - 2 * from);
        REQUIRE(count_newlines(part) ==
                static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n')));
    }
}

TEST_CASE("a line's beginning is found from its end") {
    const std::string_view bytes = "one\n\ntwo\n";
    CHECK(line_start(bytes, 9) == 5);
    CHECK(line_start(bytes, 8) == 5);
    CHECK(line_start(bytes, 5) == 4);
    CHECK(line_start(bytes, 4) == 0);
    CHECK(line_start(bytes, 0) == 0);
    CHECK(line_start("\n", 1) == 0);
    CHECK(line_start("\n\n", 2) == 1);
}
