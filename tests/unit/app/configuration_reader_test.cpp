#include "app/configuration_reader.hpp"

#include <doctest/doctest.h>

using namespace bgshell::app;
using Lines = std::vector<std::string>;

namespace {

LoadedConfiguration load(std::string_view file, const Lines& environment = {},
                         const std::vector<FlagValue>& flags = {}) {
    return load_configuration(parse_config(file, "/c.toml"), environment, flags);
}

}  // namespace

TEST_CASE("configuration: each layer covers the one below") {
    const Setting* slots = find_setting("limits", "slots");
    CHECK(load("").configuration.jobs.slots == 16);
    CHECK(load("[limits]\nslots = 2").configuration.jobs.slots == 2);
    CHECK(load("[limits]\nslots = 2", {"BGSHELL_SLOTS=3"}).configuration.jobs.slots == 3);
    const auto all = load("[limits]\nslots = 2", {"BGSHELL_SLOTS=3"}, {{slots, "4"}});
    CHECK(all.configuration.jobs.slots == 4);
    CHECK(all.warnings.empty());
}

TEST_CASE("configuration: an invalid value keeps the layer below and is warned about") {
    const Setting* slots = find_setting("limits", "slots");
    const auto loaded = load("[limits]\n\nslots = 0", {"BGSHELL_SLOTS=many"}, {{slots, "257"}});
    CHECK(loaded.configuration.jobs.slots == 16);
    CHECK(
        loaded.warnings ==
        Lines{
            "/c.toml:3: [limits] slots must be a whole number of jobs from 1 to 256, got 0; 16 is "
            "used",
            "BGSHELL_SLOTS must be a whole number of jobs from 1 to 256, got \"many\"; 16 is used",
            "--slots must be a whole number of jobs from 1 to 256, got \"257\"; 16 is used"});
    const auto kept = load("[limits]\nslots = 5", {"BGSHELL_SLOTS="});
    CHECK(kept.configuration.jobs.slots == 5);
    CHECK(kept.warnings.at(0).ends_with("; 5 is used"));
}

TEST_CASE(
    "configuration: unknown keys are warned about, a key outside of its table with the table") {
    CHECK(
        load("slots = 2\n[limits]\nslot = 3\n[sesion]\norphan_grace_s = 1\n").warnings ==
        Lines{
            "/c.toml:1: unknown key slots, ignored; it belongs into [limits]",
            "/c.toml:3: unknown key [limits] slot, ignored",
            "/c.toml:5: unknown key [sesion] orphan_grace_s, ignored; it belongs into [session]"});
    CHECK(load("", {"BGSHELL_SLOT=3", "PATH=/bin", "BGSHELL_STATE=/s", "BGSHELL_JOB_ID=a0000000",
                    "BGSHELL_HTTP_TOKENS=x", "BGSHELL_MY_SECRET=y"})
              .warnings == Lines{"unknown variable BGSHELL_SLOT, ignored"});
}

TEST_CASE("configuration: values of the environment of jobs never reach a warning") {
    const auto loaded = load("[env]\nset = ['PASSWORD', 'hunter2']\n", {"BGSHELL_ENV_SET=hunter2"});
    CHECK(loaded.configuration.jobs.env_set.empty());
    REQUIRE(loaded.warnings.size() == 2);
    for (const auto& warning : loaded.warnings) {
        CHECK(warning.find("hunter2") == std::string::npos);
        CHECK(warning.find("a list of NAME=value; it is ignored") != std::string::npos);
    }
}

TEST_CASE("configuration: a file that is not TOML is one warning") {
    const auto loaded = load("[limits\nslots = 2", {"BGSHELL_SLOTS=3"});
    CHECK(loaded.configuration.jobs.slots == 3);
    REQUIRE(loaded.warnings.size() == 1);
    CHECK(loaded.warnings[0].starts_with("/c.toml:1: "));
}

TEST_CASE("configuration: the default limit never exceeds the highest") {
    const auto loaded = load("[limits]\nruntime_limit_max_s = 60");
    CHECK(loaded.configuration.jobs.runtime_limit.count() == 60'000);
    CHECK(loaded.warnings.size() == 1);
    CHECK(load("[limits]\nruntime_limit_max_s = 60\nruntime_limit_s = 30").warnings.empty());
}
