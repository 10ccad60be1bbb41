#include "tools/client_profile.hpp"

#include <doctest/doctest.h>

using namespace bgshell::tools;
using namespace std::chrono_literals;

TEST_CASE("clients are known by the beginning of their name") {
    CHECK(client_profile("").wait_ceiling == 50s);
    CHECK(client_profile("").show_structure);
    CHECK(client_profile("some client").wait_ceiling == 50s);

    const ClientProfile claude = client_profile("claude-code");
    CHECK(claude.wait_ceiling == 25min);
    CHECK_FALSE(claude.show_structure);
    CHECK(claude.moves_long_calls_to_background);

    const ClientProfile code = client_profile("Visual Studio Code - Insiders");
    CHECK(code.name == "Visual Studio Code - Insiders");
    CHECK(code.wait_ceiling == 240s);
    CHECK_FALSE(code.show_structure);
    CHECK_FALSE(code.moves_long_calls_to_background);

    CHECK(client_profile("codex-mcp-client").wait_ceiling == 240s);
    CHECK_FALSE(client_profile("codex-mcp-client").show_structure);
    CHECK(client_profile("gemini-cli-mcp-client").wait_ceiling == 540s);
    CHECK(client_profile("goose").wait_ceiling == 240s);
    CHECK(client_profile("opencode").wait_ceiling == 25min);
    CHECK_FALSE(client_profile("copilot-cli").show_structure);
    CHECK(client_profile("claude-ai").wait_ceiling == 45s);
    CHECK(client_profile("Zed").wait_ceiling == 50s);
}

TEST_CASE("a client that cuts waits earlier than its table says is believed") {
    LearnedCeilings ceilings;
    const ClientProfile profile = client_profile("some client");
    CHECK(ceilings.ceiling(profile) == 50s);
    ceilings.wait_was_cut("some client", 5s);  // a person
    CHECK(ceilings.ceiling(profile) == 50s);
    ceilings.wait_was_cut("some client", 30s);
    CHECK(ceilings.ceiling(profile) == 22500ms);
    ceilings.wait_was_cut("some client", 40s);
    CHECK(ceilings.ceiling(profile) == 22500ms);
    CHECK(ceilings.ceiling(client_profile("another")) == 50s);
}
