#include "text/pattern.hpp"

#include <doctest/doctest.h>

#include "unit/text/random_bytes.hpp"

using bgshell::text::Pattern;
using bgshell::text::PatternFault;

namespace {

Pattern parsed_pattern(std::string_view text) {
    auto parsed = Pattern::parse(text);
    REQUIRE(std::holds_alternative<Pattern>(parsed));
    return std::get<Pattern>(parsed);
}

bool matches(std::string_view text, std::string_view line) {
    return parsed_pattern(text).matches(line);
}

std::string fault(std::string_view text) {
    auto parsed = Pattern::parse(text);
    REQUIRE(std::holds_alternative<PatternFault>(parsed));
    return std::get<PatternFault>(parsed).rule;
}

}  // namespace

TEST_CASE("a line counts if it matches as RE2 or holds the text") {
    CHECK(matches("error|FAIL", "2 FAILED"));
    CHECK_FALSE(matches("error|FAIL", "Error"));
    CHECK(matches("(?i)error", "ERROR"));
    CHECK(matches("^ready$", "ready"));
    CHECK_FALSE(matches("^ready$", "already"));
    CHECK(matches("(gdb) ", "(gdb) "));
    CHECK(matches("$ ", "user@host:~$ "));
    CHECK(matches("a.c", "a.c"));
    CHECK(matches("a.c", "abc"));
    CHECK(matches("[1/4]", "[1/4] building"));
    CHECK(matches("C++ (ready)", "now C++ (ready)"));
    CHECK(matches("\\d+ passed", "311 passed"));
    CHECK(matches("\u2264", "a \u2264 b"));
    CHECK(matches("^$", ""));
    CHECK(matches("x*", ""));
}

TEST_CASE("the slash form takes flags, and a path is none") {
    CHECK(matches("/found (\\d+) errors/i", "Found 3 errors"));
    CHECK_FALSE(matches("/found/", "Found"));
    CHECK(matches("/a b # words/x", "xaby"));
    CHECK(matches("/a[ ]b\\ c/x", "a b c"));
    CHECK(matches("/^a.c$/gms", "abc"));
    CHECK(matches("/a\\/b/", "a/b"));
    // Literally, too.
    CHECK(matches("/tmp/", "ls /tmp/x"));
    CHECK(matches("/usr/lib/", "in /usr/lib/x"));
    CHECK_FALSE(matches("/usr/lib/", "usrXlib"));
    CHECK_FALSE(matches("/usr/lib/", "usr/lib"));
    CHECK(matches("/usr/bin", "PATH=/usr/bin"));
    CHECK_FALSE(matches("/usr/bin", "usr"));
    CHECK(matches("//", "http://x"));
    CHECK_FALSE(matches("//", "x"));
}

TEST_CASE("what is no valid RE2 is taken literally, and says why") {
    const Pattern invalid = parsed_pattern("foo(bar");
    CHECK(invalid.taken_literally());
    CHECK_FALSE(invalid.complaint().empty());
    CHECK(invalid.matches("call foo(bar)"));
    CHECK_FALSE(invalid.matches("foobar"));
    CHECK(parsed_pattern("*.log").matches("rm *.log"));
    CHECK(parsed_pattern("(?=x)").taken_literally());
    CHECK(parsed_pattern("a)(b").taken_literally());
    CHECK(parsed_pattern("(a{1000}){1000}").taken_literally());
    CHECK(parsed_pattern("\xFF.").taken_literally());
    CHECK_FALSE(parsed_pattern("plain text").taken_literally());
    CHECK_FALSE(parsed_pattern("a.c").taken_literally());
}

TEST_CASE("an empty, a huge and a many-line pattern are refused with the rule") {
    CHECK(fault("") == "must not be empty");
    CHECK(fault("\n") == "must not be empty");
    CHECK(fault(std::string(4097, 'x')) == "must be at most 4096 bytes");
    CHECK(fault("a\nb") == "must not hold a newline: it matches within one line");
    CHECK(matches("ready\n", "it is ready now"));
}

TEST_CASE("nothing matches across lines of a block") {
    const std::string block = "one\ntwo\n\nthree a\nb four";
    for (const char* text : {"e\\st", "o\\n", "a[^x]b", "(?s)a.b", "a\\Wb", "one\ntwo"}) {
        CAPTURE(text);
        auto parsed = Pattern::parse(text);
        if (std::holds_alternative<PatternFault>(parsed)) continue;
        const Pattern& read = std::get<Pattern>(parsed);
        REQUIRE(read.searches_blocks());
        Pattern::BlockSearch search{read, block};
        CHECK(search.next(0) == Pattern::npos);
    }
    const Pattern line_ends = parsed_pattern("^$");
    Pattern::BlockSearch search{line_ends, block};
    CHECK(search.next(0) == 8);
    CHECK_FALSE(parsed_pattern("\\Aone").searches_blocks());
    CHECK_FALSE(parsed_pattern("(?-m)^one").searches_blocks());
    CHECK_FALSE(parsed_pattern("x(?i-s:y)").searches_blocks());
    CHECK(parsed_pattern("(?i)a-b(?:c)-").searches_blocks());
}
