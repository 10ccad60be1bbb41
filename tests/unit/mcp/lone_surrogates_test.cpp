#include "mcp/lone_surrogates.hpp"

#include <doctest/doctest.h>

using bgshell::mcp::replace_lone_surrogates;

TEST_CASE("half surrogate pairs are replaced, everything else stays") {
    const struct {
        const char* given;
        const char* right;
    } cases[] = {
        {R"("\ud83d")", R"("\ufffd")"},
        {R"("\uDE00")", R"("\ufffd")"},
        {R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
        {R"("\ud83d\ud83d\ude00x")", R"("\ufffd\ud83d\ude00x")"},
        {R"("\ude00\ud83d")", R"("\ufffd\ufffd")"},
        {R"("\\ud83d")", R"("\\ud83d")"},
        {R"("\\\ud83d")", R"("\\\ufffd")"},
        {R"("\u0041\n\ud83d)", R"("\u0041\n\ufffd)"},
        {R"("\ud83)", R"("\ud83)"},
        {R"("\)", R"("\)"},
        {"", ""},
    };
    for (const auto& each : cases) {
        CAPTURE(each.given);
        CHECK(replace_lone_surrogates(each.given) == each.right);
    }
}
