#include "tools/definitions.hpp"

#include <doctest/doctest.h>

#include <boost/json/serialize.hpp>

#include "tools/embedded.hpp"

using namespace bgshell::tools;
namespace json = boost::json;

TEST_CASE("definitions: what every client pays for stays within its budget") {
    std::size_t bytes = 0;
    for (const ToolDefinition& tool : make_definitions({})) {
        json::object published;
        published["name"] = tool.name;
        published["description"] = tool.description;
        published["inputSchema"] = tool.input_schema;
        bytes += json::serialize(published).size();
        CAPTURE(tool.name);
        CHECK(tool.description.size() <= 700);
        CHECK(tool.name.size() <= 20);
        CHECK_FALSE(tool.title.empty());
        CHECK_FALSE(tool.output_schema);
    }
    MESSAGE("names, descriptions and input schemas: ", bytes, " bytes");
    CHECK(bytes <= 7300);
    CHECK(embedded::instructions_txt.size() <= 1200);
}

TEST_CASE("definitions: names, order and annotations") {
    const auto tools = make_definitions({});
    REQUIRE(tools.size() == kToolCount);
    const struct {
        const char* name;
        bool read_only, destructive, idempotent, open_world;
    } expected[] = {
        {"start", false, true, false, true},  {"await", true, false, true, false},
        {"output", true, false, true, false}, {"send", false, true, false, false},
        {"cancel", false, true, true, false}, {"list", true, false, true, false},
    };
    for (std::size_t i = 0; i < tools.size(); ++i) {
        CHECK(tools[i].name == expected[i].name);
        CHECK(tools[i].hints.read_only == expected[i].read_only);
        CHECK(tools[i].hints.destructive == expected[i].destructive);
        CHECK(tools[i].hints.idempotent == expected[i].idempotent);
        CHECK(tools[i].hints.open_world == expected[i].open_world);
    }
}

TEST_CASE("definitions: a client that puts long results into files keeps the longest output") {
    const auto tools = make_definitions({});
    for (std::size_t i = 0; i < tools.size(); ++i) {
        CHECK(tools[i].meta.contains("anthropic/maxResultSizeChars") ==
              (tools[i].name == "output"));
    }
    // The largest max_bytes, and what else an answer says.
    CHECK(tools[2].meta.at("anthropic/maxResultSizeChars").as_int64() >= 32'000 + 4'000);
}

TEST_CASE("definitions: a prefix for hosts that do not name-space") {
    ToolSettings settings;
    settings.tool_prefix = "job_";
    CHECK(make_definitions(settings).at(1).name == "job_await");
}
