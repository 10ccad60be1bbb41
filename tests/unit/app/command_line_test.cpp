#include "app/command_line.hpp"

#include <doctest/doctest.h>

using namespace bgshell::app;
using Arguments = std::vector<std::string>;

namespace {

template <class Expected>
Expected parse(const Arguments& arguments, bool terminal = false) {
    auto command = parse_command_line(arguments, terminal);
    REQUIRE(std::holds_alternative<Expected>(command));
    return std::get<Expected>(std::move(command));
}

}  // namespace

TEST_CASE("command line: without a verb a person gets an explanation, a client the server") {
    CHECK(parse<ServeStdio>({}).flags.empty());
    parse<Explain>({}, true);
    parse<ServeStdio>({"mcp"}, true);
    parse<ServeStdio>({"mcp"});
}

TEST_CASE("command line: flags before and after the verb, the last of one kind wins") {
    const auto command =
        parse<ServeStdio>({"--slots", "3", "mcp", "--log-level=debug", "--slots", "4"});
    REQUIRE(command.flags.size() == 2);
    CHECK(command.flags[0].setting->key == "slots");
    CHECK(command.flags[0].text == "4");
    CHECK(command.flags[1].text == "debug");
}

TEST_CASE("command line: a list is given one item a flag") {
    const auto command = parse<ServeStdio>({"--env-set", "A=1,2", "--env-set", "B=x y"});
    REQUIRE(command.flags.size() == 1);
    CHECK(command.flags[0].text == "A=1,2\nB=x y");
}

TEST_CASE("command line: help and version print and end well, also after a verb") {
    const auto help = parse<PrintText>({"--help"});
    CHECK(help.exit_code == 0);
    for (const auto& setting : settings()) {
        CAPTURE(setting.flag());
        CHECK(help.text.find(setting.flag() + " ") != std::string::npos);
        CHECK(help.text.find(setting.variable()) != std::string::npos);
    }
    CHECK(parse<PrintText>({"mcp", "--help"}).exit_code == 0);
    CHECK(parse<PrintText>({"--version"}).text == "bgshell " + std::string{version()} + "\n");
}

TEST_CASE("command line: what is not understood is named, with exit code 2") {
    CHECK(parse<PrintText>({"--slot", "3"}).exit_code == 2);
    CHECK(parse<PrintText>({"--slot", "3"}).text.find("--slot") != std::string::npos);
    CHECK(parse<PrintText>({"sreve"}).text.find("sreve") != std::string::npos);
    CHECK(parse<PrintText>({"--slots"}).exit_code == 2);
}

TEST_CASE("explanation: says what it is and how to add it, with the program's path") {
    const auto text = explanation("/opt/bgshell");
    CHECK(text.find("background shell jobs") != std::string::npos);
    CHECK(text.find("claude mcp add --scope user bgshell -- /opt/bgshell mcp") !=
          std::string::npos);
}
