#include "text/quote.hpp"

#include <doctest/doctest.h>

#include "text/utf8.hpp"
#include "unit/text/random_bytes.hpp"

using namespace bgshell::text;
using namespace std::string_literals;

TEST_CASE("quoted text is a JSON string on one line") {
    CHECK(quote("") == R"("")");
    CHECK(quote("api tests") == R"("api tests")");
    CHECK(quote("say \"hi\"\\\n\t") == R"("say \"hi\"\\\n\t")");
    CHECK(quote("\x1b[1m\x7F"s) == R"("\u001b[1m\u007f")");
    CHECK(quote("a\u2028b\xFF") == "\"a b\uFFFD\"");
}

TEST_CASE("a long text is cut to the limit at a character, escapes counted") {
    CHECK(quote(std::string(200, 'x')) == "\"" + std::string(200, 'x') + "\"");
    CHECK(quote(std::string(201, 'x')) == "\"" + std::string(197, 'x') + "...\"");
    CHECK(quote("\n\n\n\n", 8) == R"("\n\n\n\n")");
    CHECK(quote("\n\n\n\n\n", 8) == R"("\n\n...")");
    CHECK(quote("\u2264\u2264\u2264\u2264\u2264\u2264", 5) == "\"\u2264\u2264...\"");
    test::RandomBytes random{3};
    for (int round = 0; round < 200; ++round) {
        const std::string quoted = quote(random.next(random.below(60)), 40);
        REQUIRE(is_valid_utf8(quoted));
        REQUIRE(count_characters(quoted) <= 42);
        REQUIRE(quoted.find_first_of("\n\r\x1b") == std::string::npos);
    }
}
