#include "text/title.hpp"

#include <doctest/doctest.h>

#include "text/utf8.hpp"

using bgshell::text::title_of;

TEST_CASE("a title is what the command does, not how it prepares") {
    struct Row {
        const char* command;
        const char* title;
    };
    for (const Row& row : {Row{"npm test", "npm test"},
                           Row{"cd /home/user/api && npm test", "npm test"},
                           Row{"cd '/a b/c' && npm test", "npm test"},
                           Row{"cd api; make -j4", "make -j4"},
                           Row{"FOO=1 BAR='a b' npm run dev", "npm run dev"},
                           Row{"A=$(date +%s) && run $A", "run $A"},
                           Row{"export CI=1 X=\"y z\" && cd web && pnpm build", "pnpm build"},
                           Row{"set -euo pipefail\ncd web\n\nnpm ci\nnpm test", "npm ci"},
                           Row{"set -e; make", "make"},
                           Row{"#!/bin/bash\n# builds\nmake all", "make all"},
                           Row{"  \n\n  ls -l  ", "ls -l"},
                           Row{"cd /only", "cd /only"},
                           Row{"FOO=1", "FOO=1"},
                           Row{"", ""},
                           Row{" \n\t", ""},
                           Row{"cd x | tee log", "cd x | tee log"},
                           Row{"cdrecord && x", "cdrecord && x"},
                           Row{"settle -x", "settle -x"},
                           Row{"set x", "set x"},
                           Row{"export -p", "export -p"},
                           Row{"2=3 x", "2=3 x"},
                           Row{"a\tb\x1b[31mc", "a b[31mc"},
                           Row{"python3 - <<'EOF'\nprint(1)\nEOF", "python3 - <<'EOF'"}}) {
        CAPTURE(row.command);
        CHECK(title_of(row.command) == row.title);
    }
}

TEST_CASE("a long title is cut at 60 characters, whole ones") {
    std::string command;
    for (int i = 0; i < 100; ++i) command += "\u2264";
    CHECK(bgshell::text::count_characters(title_of(command)) == 60);
    CHECK(bgshell::text::is_valid_utf8(title_of("\xFF\xE2\x89" + command)));
    CHECK(title_of(std::string(59, 'x') + " yz") == std::string(59, 'x'));
}
