#include "tools/definitions.hpp"

#include <array>

#include "tools/embedded.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;

struct Schemas {
    std::string_view input;
    std::string_view output;
};

std::array<Schemas, kToolCount> schemas() {
    using namespace embedded;
    return {{{start_input_json, start_output_json},
             {await_input_json, await_output_json},
             {output_input_json, output_output_json},
             {send_input_json, send_output_json},
             {cancel_input_json, cancel_output_json},
             {list_input_json, list_output_json}}};
}

std::string text_of(const json::object& object, std::string_view key) {
    const json::string& text = object.at(key).as_string();
    return {text.data(), text.size()};
}

void publish_ceiling(json::object& input_schema, platform::Milliseconds ceiling) {
    json::object& properties = input_schema.at("properties").as_object();
    if (auto field = properties.find("runtime_limit_s"); field != properties.end()) {
        field->value().as_object()["maximum"] = ceiling.count() / 1000;
    }
}

}  // namespace

std::vector<ToolDefinition> make_definitions(const ToolSettings& settings) {
    const json::value entries = json::parse(embedded::tools_json);
    const auto files = schemas();
    std::vector<ToolDefinition> definitions;
    definitions.reserve(kToolCount);
    for (std::size_t i = 0; i < kToolCount; ++i) {
        const json::object& entry = entries.as_array().at(i).as_object();
        const json::object& hints = entry.at("annotations").as_object();
        ToolDefinition definition;
        definition.name = settings.tool_prefix + text_of(entry, "name");
        definition.title = text_of(entry, "title");
        definition.description = text_of(entry, "description");
        definition.input_schema = json::parse(files[i].input).as_object();
        publish_ceiling(definition.input_schema, settings.runtime_limit_max);
        if (settings.structured == StructureMode::on) {
            definition.output_schema = json::parse(files[i].output).as_object();
        }
        if (const auto* const meta = entry.if_contains("_meta"))
            definition.meta = meta->as_object();
        definition.hints.read_only = hints.at("readOnlyHint").as_bool();
        definition.hints.destructive = hints.at("destructiveHint").as_bool();
        definition.hints.idempotent = hints.at("idempotentHint").as_bool();
        definition.hints.open_world = hints.at("openWorldHint").as_bool();
        definitions.push_back(std::move(definition));
    }
    return definitions;
}

}  // namespace bgshell::tools
