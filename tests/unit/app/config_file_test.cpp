#include "app/config_file.hpp"

#include <doctest/doctest.h>

using namespace bgshell::app;

TEST_CASE("config file: tables and keys with their lines, in the order of the file") {
    const auto file = parse_config(
        "[limits]\n"
        "slots = 4\n"
        "output_limit_mode = 'stop'\n"
        "\n"
        "[shell]\n"
        "login_path = false\n"
        "[env]\n"
        "set = { A = 'x', B = '' }\n"
        "unset = ['C', 'D']\n",
        "/c.toml");
    CHECK(file.fault.empty());
    REQUIRE(file.entries.size() == 5);
    CHECK(file.entries[0].table == "limits");
    CHECK(file.entries[0].key == "slots");
    CHECK(file.entries[0].line == 2);
    CHECK(std::get<std::int64_t>(file.entries[0].value) == 4);
    CHECK(std::get<std::string>(file.entries[1].value) == "stop");
    CHECK(std::get<bool>(file.entries[2].value) == false);
    CHECK(std::get<std::vector<std::string>>(file.entries[3].value) ==
          std::vector<std::string>{"A=x", "B="});
    CHECK(std::get<std::vector<std::string>>(file.entries[4].value) ==
          std::vector<std::string>{"C", "D"});
    CHECK(file.entries[4].line == 9);
}

TEST_CASE("config file: values of kinds that no setting has are kept as unknown") {
    const auto file =
        parse_config("slots = 1.5\n[limits]\nslots = 2026-01-01\nx = [1]\n", "/c.toml");
    REQUIRE(file.entries.size() == 3);
    CHECK(file.entries[0].table.empty());
    for (const auto& entry : file.entries)
        CHECK(std::holds_alternative<std::monostate>(entry.value));
}

TEST_CASE("config file: what is not TOML is a fault with file and line, and gives no entries") {
    const auto file = parse_config("[limits]\nslots = 4\nslots = \n", "/c.toml");
    CHECK(file.entries.empty());
    CHECK(file.fault.starts_with("/c.toml:3: "));
    CHECK_FALSE(parse_config("\xff\xfe", "/c.toml").fault.empty());
    CHECK_FALSE(parse_config("a = 1\na = 2\n", "/c.toml").fault.empty());
    CHECK(parse_config("", "/c.toml").fault.empty());
}

TEST_CASE("config file: a missing one is no fault, a directory is") {
    CHECK(read_config_file("/nonexistent/config.toml").fault.empty());
    CHECK(read_config_file("/nonexistent/config.toml").entries.empty());
    CHECK_FALSE(read_config_file("/").fault.empty());
}

TEST_CASE("config file: where it is looked for") {
    CHECK(default_config_path("/x", "/home/u") == "/x/bgshell/config.toml");
    CHECK(default_config_path("", "/home/u") == "/home/u/.config/bgshell/config.toml");
    CHECK(default_config_path("relative", "/home/u") == "/home/u/.config/bgshell/config.toml");
    CHECK(default_config_path("", "").empty());
}
