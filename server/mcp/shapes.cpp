#include "mcp/shapes.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace bgshell::mcp {

namespace json = boost::json;

namespace {

// Tools and instructions are fixed while the program runs, and the same for everyone.
constexpr std::int64_t kStaticTtlMs = 3'600'000;

json::object server_info(const ServerInfo& info, const RevisionFacts& facts) {
    json::object object;
    object["name"] = info.name;
    if (facts.titles) object["title"] = info.title;
    object["version"] = info.version;
    if (facts.server_details) {
        object["description"] = info.description;
        if (!info.website_url.empty()) object["websiteUrl"] = info.website_url;
    }
    return object;
}

// Adds what every modern result carries. Legacy ones stay as they are.
void seal(json::object& result, const Server& server, const RevisionFacts& facts) {
    if (!facts.modern) return;
    result["resultType"] = "complete";
    json::object meta;
    meta["io.modelcontextprotocol/serverInfo"] = server_info(server.info, facts);
    result["_meta"] = std::move(meta);
}

void seal_static(json::object& result, const Server& server, const RevisionFacts& facts) {
    if (!facts.modern) return;
    result["ttlMs"] = kStaticTtlMs;
    result["cacheScope"] = "public";
    seal(result, server, facts);
}

json::object tool_entry(const tools::ToolDefinition& tool, const RevisionFacts& facts) {
    json::object entry;
    entry["name"] = tool.name;
    if (facts.titles) entry["title"] = tool.title;
    entry["description"] = tool.description;
    entry["inputSchema"] = tool.input_schema;
    if (facts.tool_meta && !tool.meta.empty()) entry["_meta"] = tool.meta;
    if (facts.structured_content && tool.output_schema) entry["outputSchema"] = *tool.output_schema;
    if (facts.annotations) {
        json::object hints;
        if (!facts.titles) hints["title"] = tool.title;
        hints["readOnlyHint"] = tool.hints.read_only;
        hints["destructiveHint"] = tool.hints.destructive;
        hints["idempotentHint"] = tool.hints.idempotent;
        hints["openWorldHint"] = tool.hints.open_world;
        entry["annotations"] = std::move(hints);
    }
    return entry;
}

// A block of a kind that the revision does not know becomes text that names what it was.
void downgrade(json::value& block, const RevisionFacts& facts) {
    auto* const object = block.if_object();
    if (object == nullptr) return;
    const auto* const type = object->if_contains("type");
    const bool link = type != nullptr && *type == "resource_link";
    const bool audio = type != nullptr && *type == "audio";
    if (!(link && !facts.resource_links) && !(audio && !facts.audio)) return;
    const auto* const uri = object->if_contains("uri");
    json::object text;
    text["type"] = "text";
    text["text"] =
        link && uri != nullptr ? *uri : json::value("(audio, which this client does not know)");
    block = std::move(text);
}

}  // namespace

json::object initialize_result(const Server& server, Revision revision) {
    const RevisionFacts& known = facts(revision);
    json::object capabilities;
    capabilities["logging"].emplace_object();
    capabilities["tools"].emplace_object();
    json::object result;
    result["protocolVersion"] = known.name;
    result["capabilities"] = std::move(capabilities);
    result["serverInfo"] = server_info(server.info, known);
    result["instructions"] = server.tools.instructions();
    return result;
}

json::object discover_result(const Server& server, Revision revision) {
    json::object capabilities;
    capabilities["tools"].emplace_object();
    json::object result;
    result["supportedVersions"].emplace_array().emplace_back(facts(kModern).name);
    result["capabilities"] = std::move(capabilities);
    result["instructions"] = server.tools.instructions();
    seal_static(result, server, facts(revision));
    return result;
}

json::object tools_list_result(const Server& server, Revision revision) {
    const RevisionFacts& known = facts(revision);
    json::array entries;
    for (const auto& tool : server.tools.definitions()) entries.push_back(tool_entry(tool, known));
    json::object result;
    result["tools"] = std::move(entries);
    seal_static(result, server, known);
    return result;
}

json::object tool_result(tools::CallResult given, const Server& server, Revision revision) {
    const RevisionFacts& known = facts(revision);
    json::object result;
    if (!known.resource_links) {
        for (auto& block : given.content) downgrade(block, known);
    }
    result["content"] = std::move(given.content);
    if (known.structured_content && given.structured) {
        result["structuredContent"] = std::move(*given.structured);
    }
    if (given.is_error) result["isError"] = true;
    seal(result, server, known);
    return result;
}

}  // namespace bgshell::mcp
