#include "text/utf8.hpp"

#include <doctest/doctest.h>

#include "unit/text/random_bytes.hpp"

using namespace bgshell::text;
using namespace std::string_literals;
using test::RandomBytes;

TEST_CASE("valid UTF-8 is what the Unicode standard calls so") {
    CHECK(is_valid_utf8(""));
    CHECK(is_valid_utf8("plain text that is longer than one word"));
    CHECK(is_valid_utf8("\xC2\x80 \xE2\x89\xA4 \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF \xED\x9F\xBF"));
    for (const char* wrong :
         {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x89",
          "long ascii before it \xE2\x89"}) {
        CAPTURE(wrong);
        CHECK_FALSE(is_valid_utf8(wrong));
    }
}

TEST_CASE("a boundary is never inside a character") {
    const std::string text =
        "a\xE2\x89\xA4"
        "b\xF0\x9F\x98\x80";
    CHECK(next_boundary(text, 0) == 0);
    CHECK(next_boundary(text, 2) == 4);
    CHECK(next_boundary(text, 3) == 4);
    CHECK(next_boundary(text, 6) == 9);
    CHECK(next_boundary(text, 8) == 9);
    CHECK(next_boundary(text, 100) == text.size());
    CHECK(previous_boundary(text, 3) == 1);
    CHECK(previous_boundary(text, 4) == 4);
    CHECK(previous_boundary(text, 8) == 5);
    // Bytes that belong to no character stand alone.
    CHECK(next_boundary("\x80\x80\x80\x80\x80", 3) == 3);
    CHECK(previous_boundary("\x80\x80\x80\x80\x80", 3) == 3);
    CHECK(next_boundary("\xC3\xA4\xA4", 2) == 2);
}

TEST_CASE("the beginning of a character at the end is seen, and nothing else is taken for one") {
    CHECK(incomplete_tail("") == 0);
    CHECK(incomplete_tail("abc") == 0);
    CHECK(incomplete_tail("a\xE2") == 1);
    CHECK(incomplete_tail("a\xE2\x89") == 2);
    CHECK(incomplete_tail("a\xE2\x89\xA4") == 0);
    CHECK(incomplete_tail("\xF0\x9F\x98") == 3);
    CHECK(incomplete_tail("\x80\x80") == 0);
    CHECK(incomplete_tail("\xED\xA0") == 0);
    CHECK(incomplete_tail("\xFF") == 0);
}

TEST_CASE("sanitized text is valid, and keeps what was valid") {
    CHECK(sanitize("a\xE2\x89\xA4\n\t") == "a\xE2\x89\xA4\n\t");
    CHECK(sanitize("\xFF\xFE\x80ok\n") == "\uFFFD\uFFFD\uFFFDok\n");
    CHECK(sanitize("a\0b"s) == "a\uFFFDb");
    CHECK(sanitize("a\u2028b\u2029c") == "a b c");
    CHECK(sanitize("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
    CHECK(sanitize("\xE2\x89") == "\uFFFD");
}

TEST_CASE("what is not text is found wherever it stands") {
    const std::pair<std::string, std::string> shown[] = {{"\0"s, "\uFFFD"},
                                                         {"\x80", "\uFFFD"},
                                                         {"\xE2\x80", "\uFFFD"},
                                                         {"\u2028", " "},
                                                         {"\u2029", " "},
                                                         {"\u202A", "\u202A"},
                                                         {"\u00e9", "\u00e9"},
                                                         {"\x1f", "\x1f"},
                                                         {"\x80\xFF", "\uFFFD\uFFFD"},
                                                         {"\u00e9\u2028", "\u00e9 "}};
    for (const auto& example : shown) {
        const std::string& raw = example.first;
        const std::string& text = example.second;
        CAPTURE(raw);
        for (std::size_t at = 0; at < 64; ++at) {
            const std::string before(at, 'a');
            for (const std::size_t behind : {0U, 1U, 15U, 16U, 40U}) {
                const std::string after(behind, 'b');
                REQUIRE(sanitize(before + raw + after) == before + text + after);
            }
        }
    }
    std::string out = "kept ";
    append_sanitized(out, "a\u2028b");
    CHECK(out == "kept a b");
}

TEST_CASE("characters are counted and taken whole") {
    CHECK(count_characters("a\u2264\U0001F600") == 3);
    CHECK(first_characters("a\u2264\U0001F600", 2) == "a\u2264");
    CHECK(first_characters("ab", 9) == "ab");
}

TEST_CASE("any bytes: steps cover them all, boundaries agree with steps, sanitize is stable") {
    RandomBytes random{1};
    for (int round = 0; round < 300; ++round) {
        const std::string bytes = random.next(1 + random.below(20));
        std::size_t at = 0;
        while (at < bytes.size()) {
            const Utf8Step step = utf8_step(std::string_view{bytes}.substr(at));
            REQUIRE(step.length >= 1);
            REQUIRE(at + step.length <= bytes.size());
            if (step.kind == Utf8Step::Kind::character) {
                for (std::size_t inside = 1; inside < step.length; ++inside) {
                    REQUIRE(next_boundary(bytes, at + inside) == at + step.length);
                    REQUIRE(previous_boundary(bytes, at + inside) == at);
                }
            }
            at += step.length;
        }
        const std::string text = sanitize(bytes);
        REQUIRE(is_valid_utf8(text));
        REQUIRE(text.find('\0') == std::string::npos);
        REQUIRE(sanitize(text) == text);
    }
}
