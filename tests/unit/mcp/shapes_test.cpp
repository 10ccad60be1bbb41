#include "mcp/shapes.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>

#include "unit/mcp/fake_server.hpp"

using namespace bgshell::mcp;
using namespace bgshell::test;
using Names = std::set<std::string>;

namespace {

constexpr Revision kAll[] = {Revision::r2024_11_05, Revision::r2025_03_26, Revision::r2025_06_18,
                             Revision::r2025_11_25, Revision::r2026_07_28};

Names without(Names names, const Names& removed) {
    for (const auto& each : removed) names.erase(each);
    return names;
}

}  // namespace

TEST_CASE("each revision has its name") {
    const char* const names[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                 "2026-07-28"};
    for (std::size_t index = 0; index < std::size(kAll); ++index) {
        CHECK(facts(kAll[index]).name == names[index]);
        CHECK(find_revision(names[index]) == kAll[index]);
        CHECK(facts(kAll[index]).modern == (kAll[index] == kModern));
        CHECK(facts(kAll[index]).batches == (kAll[index] == Revision::r2025_03_26));
    }
    CHECK(!find_revision("2025-11-26"));
}

TEST_CASE_FIXTURE(FakeServer, "InitializeResult per revision") {
    const Names info[] = {{"name", "version"},
                          {"name", "version"},
                          {"name", "version", "title"},
                          {"name", "version", "title", "description"}};
    for (std::size_t index = 0; index < std::size(info); ++index) {
        const auto result = initialize_result(server, kAll[index]);
        CHECK(keys(result) ==
              Names{"protocolVersion", "capabilities", "serverInfo", "instructions"});
        CHECK(result.at("protocolVersion") == json::value(facts(kAll[index]).name));
        CHECK(result.at("capabilities") ==
              json::object{{"logging", json::object{}}, {"tools", json::object{}}});
        CHECK(keys(result.at("serverInfo")) == info[index]);
        CHECK(result.at("instructions") == "Use it.");
    }
}

TEST_CASE_FIXTURE(FakeServer, "DiscoverResult") {
    const auto result = discover_result(server, kModern);
    CHECK(keys(result) == Names{"supportedVersions", "capabilities", "instructions", "resultType",
                                "ttlMs", "cacheScope", "_meta"});
    CHECK(result.at("supportedVersions") == json::parse(R"(["2026-07-28"])"));
    CHECK(result.at("capabilities") == json::object{{"tools", json::object{}}});
    CHECK(result.at("resultType") == "complete");
    CHECK(result.at("ttlMs").as_int64() > 0);
    CHECK(result.at("cacheScope") == "public");
    const auto& info = result.at("_meta").at("io.modelcontextprotocol/serverInfo");
    CHECK(keys(info) == Names{"name", "title", "version", "description"});
}

TEST_CASE_FIXTURE(FakeServer, "ListToolsResult per revision") {
    const Names all{"name",         "title",       "description", "inputSchema",
                    "outputSchema", "annotations", "_meta"};
    const Names removed[] = {{"title", "outputSchema", "annotations", "_meta"},
                             {"title", "outputSchema", "_meta"},
                             {},
                             {},
                             {}};
    for (std::size_t index = 0; index < std::size(kAll); ++index) {
        const auto result = tools_list_result(server, kAll[index]);
        const bool modern = facts(kAll[index]).modern;
        CHECK(keys(result) == (modern ? Names{"tools", "resultType", "ttlMs", "cacheScope", "_meta"}
                                      : Names{"tools"}));
        REQUIRE(result.at("tools").as_array().size() == 3);
        const auto& tool = result.at("tools").at(0);
        CHECK(keys(tool) == without(all, removed[index]));
        CHECK(tool.at("inputSchema") == tools.definitions()[0].input_schema);
    }
    const auto hints = [&](Revision revision) {
        return tools_list_result(server, revision).at("tools").at(0).at("annotations");
    };
    CHECK(hints(Revision::r2025_03_26) == json::object{{"title", "The tool echo"},
                                                       {"readOnlyHint", true},
                                                       {"destructiveHint", false},
                                                       {"idempotentHint", true},
                                                       {"openWorldHint", false}});
    CHECK(hints(Revision::r2025_11_25) == json::object{{"readOnlyHint", true},
                                                       {"destructiveHint", false},
                                                       {"idempotentHint", true},
                                                       {"openWorldHint", false}});
}

TEST_CASE_FIXTURE(FakeServer, "CallToolResult per revision") {
    for (const Revision revision : kAll) {
        for (const bool is_error : {false, true}) {
            bgshell::tools::CallResult given;
            given.content.push_back(json::object{{"type", "text"}, {"text", "hi"}});
            given.structured = json::object{{"a", 1}};
            given.is_error = is_error;
            const auto result = tool_result(std::move(given), server, revision);
            Names expected{"content"};
            if (is_error) expected.insert("isError");
            if (facts(revision).structured_content) expected.insert("structuredContent");
            if (facts(revision).modern) expected.insert({"resultType", "_meta"});
            CHECK(keys(result) == expected);
            CHECK(result.at("content") == json::parse(R"([{"type":"text","text":"hi"}])"));
        }
    }
}

TEST_CASE_FIXTURE(FakeServer, "blocks that a revision does not know become text") {
    const auto blocks = json::parse(
        R"([{"type":"resource_link","uri":"x:y","name":"n"},{"type":"audio","data":"","mimeType":"a/b"},
            {"type":"image","data":"","mimeType":"image/png"}])");
    for (const Revision revision : kAll) {
        bgshell::tools::CallResult given;
        given.content = blocks.as_array();
        const auto content = tool_result(std::move(given), server, revision).at("content");
        const bool links = revision >= Revision::r2025_06_18;
        const bool audio = revision >= Revision::r2025_03_26;
        CHECK(content.at(0).at("type") == (links ? "resource_link" : "text"));
        if (!links) CHECK(content.at(0) == json::object{{"type", "text"}, {"text", "x:y"}});
        CHECK(content.at(1).at("type") == (audio ? "audio" : "text"));
        CHECK(content.at(2).at("type") == "image");
    }
}
