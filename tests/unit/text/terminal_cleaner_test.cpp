#include "text/terminal_cleaner.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "text/utf8.hpp"
#include "unit/text/random_bytes.hpp"

using namespace bgshell::text;
using namespace std::string_literals;

namespace {

std::string clean_in_pieces(std::string_view raw, std::size_t piece) {
    TerminalCleaner cleaner;
    std::string out;
    for (std::size_t at = 0; at < raw.size(); at += piece) cleaner.feed(raw.substr(at, piece), out);
    cleaner.finish(out);
    return out;
}

}  // namespace

TEST_CASE("cursor, private mode, title and charset sequences do not leak, \\r overwrites") {
    CHECK(clean("\x1b[?25lWorking\r\x1b[2KDone \x1b[1;31mred\x1b[0m\x1b]0;title\a\x1b(B\n") ==
          "Done red\n");
}

TEST_CASE("control sequences of every form are removed") {
    struct Row {
        std::string raw;
        const char* text;
    };
    for (const Row& row : {
             Row{"a\x1b[31mb\x1b[0mc", "abc"},
             Row{"a\x1b[38;2;255;0;0mb\x1b[38:5:1mc", "abc"},
             Row{"a\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\b", "alinkb"},
             Row{"a\x1bP1$r0m\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e", "abcde"},
             Row{"a\x1b=b\x1b>c\x1b"
                 "7d\x1b"
                 "8e\x1b#8f\x1b%Gg\x1b"
                 "ch",
                 "abcdefgh"},
             Row{"a\x1b[2Jb\x1b[Hc", " b c"},
             Row{"a\x1b[?2004h$ \x1b[>4;1mb", "a$ b"},
             Row{"a\x1b[1 qb\x1b[!pc", "abc"},
             // What is no sequence is text again.
             Row{"a\x1b[12\nb", "a\nb"},
             Row{"a\x1b]0;title never ends\nb", "a\nb"},
             Row{"a\x1b\x1b[31mb", "ab"},
             Row{"a\x1b[\xE2\x89\xA4", "a\u2264"},
             Row{"a\x1b", "a"},
             Row{"a\x1b[3", "a"},
         }) {
        CAPTURE(row.raw);
        CHECK(clean(row.raw) == row.text);
    }
}

TEST_CASE("a line is rewritten as a terminal would") {
    struct Row {
        std::string raw;
        const char* text;
    };
    for (const Row& row : {
             Row{"10%\r50%\r100%\n", "100%\n"},
             Row{"Working\rDone", "Doneing"},
             Row{"Working\rDone\x1b[K", "Done"},
             Row{"Working\rDone   \n", "Done\n"},
             Row{"old\r(gdb) ", "(gdb) "},
             Row{"long text\r\x1b[Kshort", "short"},
             Row{"a\r\nb\r\r\nc", "a\nb\nc"},
             Row{"text\r", "text"},
             Row{"abc\b\bX", "aXc"},
             Row{"\b\bX", "X"},
             Row{"pass\b \b\b \bword", "paword"},
             Row{"abcdef\x1b[4DX", "abXdef"},
             Row{"abc\x1b[1GX\x1b[5GY", "Xbc Y"},
             Row{"a\x1b[3Cb", "a   b"},
             Row{"abcdef\x1b[3D\x1b[1K", "    ef"},
             Row{"abc\x1b[2Kd", "   d"},
             Row{"\u2264\u2264\u2264\rab", "ab\u2264"},
             Row{"ab\r\U0001F600", "\U0001F600b"},
             Row{"keep blanks  \n", "keep blanks  \n"},
             Row{"one\x1b[2;1Htwo", "one two"},
         }) {
        CAPTURE(row.raw);
        CHECK(clean(row.raw) == row.text);
    }
}

TEST_CASE("other control characters vanish, wrong bytes are replaced, separators become blanks") {
    CHECK(clean("a\0b\a\v\f\x7F\tc\n"s) == "ab\tc\n");
    CHECK(clean("\xFF\xFE\x80ok\n") == "\uFFFD\uFFFD\uFFFDok\n");
    CHECK(clean("a\u2028b\u2029c\u0085d\u009Be") == "a b cde");
    CHECK(clean("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
    CHECK(clean("\xE2\x89") == "\uFFFD");
}

TEST_CASE("a character or sequence split over pieces is still one") {
    TerminalCleaner cleaner;
    std::string out;
    cleaner.feed("\xE2", out);
    CHECK_FALSE(cleaner.at_boundary());
    CHECK(cleaner.line().empty());
    cleaner.feed("\x89", out);
    cleaner.feed("\xA4\x1b", out);
    CHECK(cleaner.line() == "\u2264");
    cleaner.feed("[31", out);
    CHECK_FALSE(cleaner.at_boundary());
    cleaner.feed("mx\n", out);
    CHECK(cleaner.at_boundary());
    CHECK(out == "\u2264x\n");
    const std::string raw = "a\xE2\x89\xA4\x1b[1;31mred\x1b]0;t\x1b\\\xE2\x89z\xF0\x9F\x98\x80\r\n";
    for (std::size_t piece = 1; piece < raw.size(); ++piece)
        CHECK(clean_in_pieces(raw, piece) == clean(raw));
}

TEST_CASE("a line without an end does not grow in memory") {
    TerminalCleaner cleaner{1000};
    std::string out;
    const std::string chunk(100'000, 'x');
    for (int i = 0; i < 50; ++i) cleaner.feed(chunk, out);
    CHECK(cleaner.line().size() == 1000);
    CHECK(cleaner.overflowed());
    cleaner.feed("\rshort\x1b[K\nnext", out);
    CHECK(out == "short\n");
    CHECK(cleaner.line() == "next");
    CHECK_FALSE(cleaner.overflowed());
    // Moving the cursor makes no text.
    CHECK(clean("\x1b[99999999999Cx").size() == 1000);
}

TEST_CASE("any bytes: the result is clean, independent of pieces, and has the same lines") {
    test::RandomBytes random{5};
    for (int round = 0; round < 500; ++round) {
        const std::string raw = random.next(1 + random.below(40));
        const std::string text = clean(raw);
        CAPTURE(raw);
        REQUIRE(is_valid_utf8(text));
        REQUIRE(is_clean(text));
        REQUIRE(clean(text) == text);
        REQUIRE(std::count(text.begin(), text.end(), '\n') ==
                std::count(raw.begin(), raw.end(), '\n'));
        REQUIRE(clean_in_pieces(raw, 1 + random.below(7)) == text);
        REQUIRE((is_clean(raw) ? raw == text : true));
    }
}

TEST_CASE("a byte that is not shown as it is is found wherever it stands") {
    for (int value = 0; value < 256; ++value) {
        CAPTURE(value);
        const bool plain = (value >= 0x20 && value < 0x7F) || value == '\n' || value == '\t';
        for (std::size_t at = 0; at < 64; ++at) {
            std::string text(70, 'x');
            text[at] = static_cast<char>(value);
            REQUIRE(is_clean(text) == plain);
            // What comes in one piece is shown as what comes byte by byte.
            REQUIRE(clean_in_pieces("\x1b[m" + text, 100) == clean_in_pieces("\x1b[m" + text, 1));
        }
    }
}
