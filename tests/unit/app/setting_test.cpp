#include "app/setting.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>

using namespace bgshell::app;

namespace {

const Setting& setting(std::string_view table, std::string_view key) {
    const Setting* found = find_setting(table, key);
    REQUIRE(found != nullptr);
    return *found;
}

// One row of the README's table.
std::string row(const Setting& setting) {
    std::string shown = setting.show(Configuration{});
    if (!shown.empty()) shown = "`" + shown + "`";
    std::string range = setting.rule();
    if (!setting.unit.empty()) {
        range = std::to_string(setting.least) + " to " + std::to_string(setting.most) + " " +
                std::string{setting.unit};
    }
    return "| `[" + std::string{setting.table} + "] " + std::string{setting.key} + "` | " + shown +
           " | " + range + " | " + std::string{setting.help} + " |\n";
}

}  // namespace

TEST_CASE(
    "settings: names of variables and flags carry the table where the key alone would not do") {
    CHECK(setting("limits", "slots").variable() == "BGSHELL_SLOTS");
    CHECK(setting("limits", "slots").flag() == "--slots");
    CHECK(setting("session", "orphan_grace_s").flag() == "--orphan-grace-s");
    CHECK(setting("log", "level").variable() == "BGSHELL_LOG_LEVEL");
    CHECK(setting("shell", "path").flag() == "--shell-path");
    std::set<std::string> flags;
    for (const auto& each : settings()) flags.insert(each.flag());
    CHECK(flags.size() == settings().size());
    CHECK(find_setting("limits", "level") == nullptr);
}

TEST_CASE("settings: every default obeys its own rule and can be given back as a text") {
    for (const auto& each : settings()) {
        CAPTURE(each.flag());
        Configuration configuration;
        const auto shown = each.show(configuration);
        if (!shown.empty()) CHECK(each.assign_text(configuration, shown));
        CHECK(each.show(configuration) == shown);
        CHECK_FALSE(each.help.empty());
        CHECK_FALSE(each.rule().empty());
    }
}

TEST_CASE("settings: numbers are held at both ends of their range") {
    for (const auto& each : settings()) {
        if (each.unit.empty()) continue;
        CAPTURE(each.flag());
        Configuration configuration;
        CHECK(each.assign(configuration, SettingValue{each.least}));
        CHECK(each.show(configuration) == std::to_string(each.least));
        CHECK(each.assign(configuration, SettingValue{each.most}));
        CHECK(each.show(configuration) == std::to_string(each.most));
        CHECK_FALSE(each.assign(configuration, SettingValue{each.least - 1}));
        CHECK_FALSE(each.assign(configuration, SettingValue{each.most + 1}));
        for (const auto* text : {"", "x", "1x", " 1", "1.5", "-", "99999999999999999999"}) {
            CHECK_FALSE(each.assign_text(configuration, text));
        }
        CHECK(each.show(configuration) == std::to_string(each.most));
    }
}

TEST_CASE("settings: a value of another type is refused by all of them") {
    for (const auto& each : settings()) {
        CAPTURE(each.flag());
        Configuration configuration;
        CHECK_FALSE(each.assign(configuration, SettingValue{}));
        CHECK_FALSE(each.assign(configuration, SettingValue{std::vector<std::string>{"", "=x"}}));
        CHECK_FALSE(each.assign(configuration, SettingValue{std::string{"no such value\0", 14}}));
    }
}

TEST_CASE("settings: words, truths, texts and lists") {
    Configuration c;
    CHECK(setting("limits", "output_limit_mode").assign_text(c, "stop"));
    CHECK(c.jobs.output_limit_mode == bgshell::keeper::OutputLimitMode::stop);
    CHECK_FALSE(setting("limits", "output_limit_mode").assign_text(c, "Stop"));
    CHECK(setting("results", "structured").assign_text(c, "off"));
    CHECK(c.structured == StructuredMode::off);
    CHECK(setting("log", "level").assign_text(c, "debug"));
    CHECK(c.log_level == LogLevel::debug);
    CHECK(setting("shell", "login_path").assign_text(c, "no"));
    CHECK_FALSE(c.jobs.login_path);
    CHECK(setting("shell", "path").assign_text(c, "/bin/dash"));
    CHECK_FALSE(setting("shell", "path").assign_text(c, "dash"));
    CHECK(c.jobs.shell_path == "/bin/dash");
    CHECK(setting("results", "tool_prefix").assign_text(c, "bg_"));
    CHECK_FALSE(setting("results", "tool_prefix").assign_text(c, "bg.x"));
    CHECK(setting("env", "set").assign_text(c, "A=1, 2\nB=x=y\n"));
    CHECK(c.jobs.env_set == std::vector<std::string>{"A=1, 2", "B=x=y"});
    CHECK_FALSE(setting("env", "set").assign_text(c, "A=1\n9B=2"));
    CHECK(setting("env", "unset").assign_text(c, "GREP_OPTIONS"));
    CHECK_FALSE(setting("env", "unset").assign_text(c, "A=1"));
    CHECK(setting("session", "orphan_grace_s").assign_text(c, "0"));
    CHECK(c.jobs.orphan_grace.count() == 0);
}

TEST_CASE("README: its table of settings is the table of settings") {
    std::ifstream file{BGSHELL_README};
    const std::string readme{std::istreambuf_iterator<char>{file}, {}};
    std::string table;
    for (const auto& each : settings()) table += row(each);
    CAPTURE(table);
    CHECK(readme.find("|\n" + table + "\n") != std::string::npos);
}
