#include "keeper/valid_text.hpp"

#include <doctest/doctest.h>

namespace {

using bgshell::keeper::valid_text;

constexpr const char* kBad = "\xEF\xBF\xBD";

TEST_CASE("valid text stays as it is") {
    const std::string text =
        "a\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80"
        "\xF4\x8F\xBF\xBF";
    CHECK(valid_text(text, 1000) == text);
    CHECK(valid_text(std::string_view{"a\0b", 3}, 3) == std::string_view{"a\0b", 3});
}

TEST_CASE("each byte that belongs to no character becomes U+FFFD") {
    const std::string bad = kBad;
    CHECK(valid_text("a\xFFz", 100) == "a" + bad + "z");
    CHECK(valid_text("\x80", 100) == bad);
    CHECK(valid_text("\xC0\x80", 100) == bad + bad);
    CHECK(valid_text("\xC1\xBF", 100) == bad + bad);
    CHECK(valid_text("\xE0\x9F\xBF", 100) == bad + bad + bad);
    CHECK(valid_text("\xED\xA0\x80", 100) == bad + bad + bad);
    CHECK(valid_text("\xF0\x8F\xBF\xBF", 100) == bad + bad + bad + bad);
    CHECK(valid_text("\xF4\x90\x80\x80", 100) == bad + bad + bad + bad);
    CHECK(valid_text("\xF5", 100) == bad);
    CHECK(valid_text("\xE2\x82", 100) == bad + bad);
    CHECK(valid_text("\xE2\x28\xA1", 100) == bad + "(" + bad);
}

TEST_CASE("a cut never splits a character") {
    const std::string text = "a\xE2\x82\xAC\xF0\x9F\x98\x80";  // a, euro, a face
    const std::size_t kept[] = {0, 1, 1, 1, 4, 4, 4, 4, 8, 8};
    for (std::size_t max = 0; max < 10; ++max) {
        CAPTURE(max);
        CHECK(valid_text(text, max) == text.substr(0, kept[max]));
    }
    CHECK(valid_text("\xFF", 2).empty());
}

}  // namespace
