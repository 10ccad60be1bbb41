#include "text/json_size.hpp"

#include <doctest/doctest.h>

#include "text/utf8.hpp"
#include "unit/text/random_bytes.hpp"

using namespace bgshell::text;
using namespace std::string_literals;

TEST_CASE("escapes count as they are written") {
    CHECK(json_size("") == 0);
    CHECK(json_size("abc") == 3);
    CHECK(json_size("a\"b\\c\n\t\r\b\f") == 3 + 14);
    CHECK(json_size("\x1b\x01"s + '\0') == 18);
    CHECK(json_size("\x7F") == 1);
    CHECK(json_size("\u2264") == 3);
}

TEST_CASE("the size is the sum of its bytes' at any length") {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += static_cast<char>(i % 128);
    std::size_t sum = 0;
    for (std::size_t size = 0; size < text.size(); ++size) {
        REQUIRE(json_size(text.substr(0, size)) == sum);
        sum += json_size(text.substr(size, 1));
    }
    for (const std::size_t count : {15U, 16U, 4080U, 4081U, 4096U, 10'000U}) {
        CAPTURE(count);
        CHECK(json_size(std::string(count, 'x')) == count);
        CHECK(json_size(std::string(count, '\n')) == 2 * count);
        CHECK(json_size(std::string(count, '"')) == 2 * count);
        CHECK(json_size(std::string(count, '\t')) == 2 * count);
        CHECK(json_size(std::string(count, '\x01')) == 6 * count);
    }
}

TEST_CASE("every byte counts the same wherever it stands") {
    for (int value = 0; value < 256; ++value) {
        CAPTURE(value);
        const std::string byte(1, static_cast<char>(value));
        for (std::size_t at = 0; at < 64; ++at) {
            std::string text(70, 'x');
            text[at] = byte[0];
            REQUIRE(json_size(text) == 69 + json_size(byte));
        }
    }
}

TEST_CASE("a cut to a budget keeps whole characters and never exceeds it") {
    CHECK(cut_to_json_size("abc", 3) == "abc");
    CHECK(cut_to_json_size("abc", 2) == "ab");
    CHECK(cut_to_json_size("a\n\n", 4) == "a\n");
    CHECK(cut_to_json_size("a\u2264", 3) == "a");
    CHECK(cut_to_json_size("\x01", 5).empty());
    test::RandomBytes random{2};
    for (int round = 0; round < 200; ++round) {
        const std::string text = sanitize(random.next(1 + random.below(20)));
        const std::size_t budget = random.below(60);
        const std::string_view cut = cut_to_json_size(text, budget);
        REQUIRE(json_size(cut) <= budget);
        REQUIRE(is_valid_utf8(cut));
        REQUIRE(text.starts_with(cut));
        if (cut.size() < text.size()) {
            const std::size_t next = utf8_step(std::string_view{text}.substr(cut.size())).length;
            REQUIRE(json_size(std::string_view{text}.substr(0, cut.size() + next)) > budget);
        }
    }
}
