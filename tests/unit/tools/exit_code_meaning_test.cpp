#include "tools/exit_code_meaning.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace bgshell::tools;

namespace {

std::string meaning(const std::string& command, int code = 1, bool printed_nothing = true) {
    return answer_in_exit_code(command, code, printed_nothing).value_or("");
}

}  // namespace

TEST_CASE("exit code 1 of a search means that nothing was found") {
    CHECK(meaning("grep foo file") == "grep: nothing found");
    CHECK(meaning("/usr/bin/grep -rn \"a\\\"b\" .") == "grep: nothing found");
    CHECK(meaning("rg 'a|b' src 2>&1") == "rg: nothing found");
    CHECK(meaning("cat x | grep -v foo") == "grep: nothing found");
    CHECK(meaning("ps aux | grep foo\n") == "grep: nothing found");
    CHECK(meaning("LC_ALL=C grep foo x") == "grep: nothing found");
    CHECK(meaning("echo looking; grep foo x", 1, false) == "grep: nothing found");
    CHECK(meaning("grep -c foo x", 1, false) == "grep: nothing found");
    CHECK(meaning("# look\ngrep foo x") == "grep: nothing found");
    CHECK(meaning("diff a b", 1, false) == "diff: the files differ");
    CHECK(meaning("test -f x") == "test: false");
    CHECK(meaning("[ -f x ]") == "[: false");
    CHECK(meaning("cd src && grep foo *.c") == "grep: nothing found");
}

TEST_CASE("an exit code is not explained away where something else may have failed") {
    CHECK(meaning("grep foo file", 2) == "");
    CHECK(meaning("npm test && grep foo log") == "");
    CHECK(meaning("cd nowhere && grep foo x", 1, false) == "");
    CHECK(meaning("make || grep foo x") == "");
    CHECK(meaning("grep foo x | head") == "");
    CHECK(meaning("grep foo x; make") == "");
    CHECK(meaning("set -o pipefail; make | grep foo") == "");
    CHECK(meaning("set -e\nmake\ngrep foo x") == "");
    CHECK(meaning("if true; then grep foo x; fi") == "");
    CHECK(meaning("grep $(cat pattern) x") == "");
    CHECK(meaning("grep \"$(cat pattern)\" x") == "");
    CHECK(meaning("(exit 1)") == "");
    CHECK(meaning("! grep foo x") == "");
    CHECK(meaning("grep foo <<EOF\nx\nEOF") == "");
    CHECK(meaning("exit 1; grep foo x") == "");
    CHECK(meaning("grep 'open quote") == "");
    CHECK(meaning("sleep 1 & grep foo x") == "");
    CHECK(meaning("") == "");
    CHECK(meaning("python3 test.py") == "");
}

TEST_CASE("an exit code above 128 may be a signal") {
    CHECK(signal_in_exit_code(143) == "perhaps its last command died by SIGTERM");
    CHECK(signal_in_exit_code(139) == "perhaps its last command died by SIGSEGV");
    CHECK_FALSE(signal_in_exit_code(128));
    CHECK_FALSE(signal_in_exit_code(255));
    CHECK_FALSE(signal_in_exit_code(1));
}

TEST_CASE("a command that was not found") {
    CHECK(
        command_not_found_advice("nvm use 22 && npm test").starts_with("nvm is a shell function"));
    CHECK(command_not_found_advice("mytool --x").find("full path") != std::string::npos);
    CHECK(command_not_found_advice("$(x").find("full path") != std::string::npos);
}
