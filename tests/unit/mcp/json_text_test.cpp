#include "mcp/json_text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace json = boost::json;
using bgshell::mcp::append_json;

namespace {

std::string text_of(const json::value& value) {
    std::string out;
    append_json(out, value);
    return out;
}

}  // namespace

TEST_CASE("values are written as JSON on one line") {
    const auto value = json::parse(
        R"({"a":[1,-2,18446744073709551615,0.5,true,false,null],"b":{},"c":[],"d":"x","":[[],{}]})");
    CHECK(text_of(value) == json::serialize(value));
}

TEST_CASE("every byte at every place of a long string comes back") {
    for (int byte = 0; byte < 0x80; ++byte) {
        for (std::size_t place = 0; place < 64; ++place) {
            std::string text(80, 'x');
            text[place] = static_cast<char>(byte);
            const std::string written = text_of(json::string{text});
            REQUIRE(json::parse(written).as_string() == text);
            for (const char each : written) REQUIRE(static_cast<unsigned char>(each) >= 0x20);
        }
    }
}

TEST_CASE("what some readers take for a line end is escaped, its neighbours are not") {
    CHECK(text_of(json::string{"a\xE2\x80\xA8z"}) == R"("a\u2028z")");
    CHECK(text_of(json::string{"a\xE2\x80\xA9"}) == R"("a\u2029")");
    CHECK(text_of(json::string{"\xE2\x80\xA6\xE2\x94\x82"}) == "\"\xE2\x80\xA6\xE2\x94\x82\"");
    CHECK(text_of(json::string{"a\x1B[0m\r\n"}) == R"("a\u001b[0m\r\n")");
}

TEST_CASE("the hint is near the true length") {
    json::object object;
    object["text"] = std::string(32'000, 'x');
    std::string out;
    append_json(out, object);
    const std::size_t hint = bgshell::mcp::json_length_hint(object);
    CHECK(hint >= out.size());
    CHECK(hint < out.size() + out.size() / 8);
}
