#include "tools/schema_reader.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "text/quote.hpp"
#include "tools/coercion.hpp"
#include "tools/schema_check.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;

struct Names {
    std::string_view given;
    std::string_view meant;
};

// Read without being published, where the tool has the field that is meant.
constexpr Names kAliases[] = {
    {"id", "ids"},      {"ids", "id"}, {"description", "title"}, {"working_directory", "cwd"},
    {"workdir", "cwd"},
};

// Fields of other tools of this kind: named in the error, never taken for ours (units differ). The
// first one that the tool has.
constexpr Names kSuggestions[] = {
    {"timeout", "runtime_limit_s"},
    {"timeout", "wait_s"},
    {"wait", "wait_s"},
    {"yield", "wait_s"},
    {"block", "wait_s"},
    {"limit_s", "runtime_limit_s"},
    {"cmd", "command"},
    {"script", "command"},
    {"job", "id"},
    {"job", "ids"},
    {"task", "id"},
    {"task", "ids"},
    {"name", "title"},
    {"label", "title"},
    {"dir", "cwd"},
    {"path", "cwd"},
    {"environment", "env"},
    {"pattern", "grep"},
    {"pattern", "wait_for"},
    {"regex", "grep"},
    {"regex", "wait_for"},
    {"filter", "grep"},
    {"search", "grep"},
    {"ready", "wait_for"},
    {"until", "wait_for"},
    {"lines", "tail_lines"},
    {"tail", "tail_lines"},
    {"offset", "from"},
    {"cursor", "from"},
    {"since", "from"},
    {"input", "text"},
    {"data", "text"},
    {"stdin", "text"},
    {"stdin", "open_stdin"},
    {"interactive", "open_stdin"},
    {"idle", "quiet_s"},
    {"quiet", "quiet_s"},
    {"silence", "quiet_s"},
    {"force", "signal"},
    {"grace", "grace_s"},
    {"delete", "remove"},
    {"max", "max_bytes"},
    {"limit", "max_bytes"},
    {"context", "context_lines"},
    {"status", "state"},
};

std::string_view unit_of(std::string_view field) {
    if (field.ends_with("_s")) return "seconds";
    if (field.ends_with("_bytes") || field == "from") return "bytes";
    return {};
}

std::string listed(const json::array& words) {
    std::string text;
    for (const json::value& word : words) {
        if (!text.empty()) text += ", ";
        text += std::string_view{word.as_string()};
    }
    return text;
}

// "a number of seconds from 1 to 86400"
std::string rule_text(std::string_view field, const json::object& schema) {
    if (const json::value* words = schema.if_contains("enum")) {
        return "one of " + listed(words->as_array());
    }
    const std::string_view type = schema.at("type").as_string();
    if (type == "string") return "a text";
    if (type == "boolean") return "true or false";
    if (type == "array") return "a list of texts";
    std::string text = type == "integer" ? "a whole number" : "a number";
    if (const std::string_view unit = unit_of(field); !unit.empty()) {
        text += " of ";
        text += unit;
    }
    if (const json::value* minimum = schema.if_contains("minimum")) {
        text += " from " + number_text(*minimum);
    }
    if (const json::value* maximum = schema.if_contains("maximum")) {
        text += " to " + number_text(*maximum);
    }
    return text;
}

std::string value_text(const json::value& value) {
    constexpr std::size_t kLongest = 200;
    if (value.is_string()) return text::quote(value.get_string());
    if (value.is_number()) return number_text(value);
    std::string text = json::serialize(value);
    if (text.size() > kLongest) return value.is_array() ? "a list" : "an object";
    return text;
}

std::string name_text(std::string_view name) {
    const bool plain =
        !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_' || c == '-' || c == '.';
        });
    return plain ? std::string{name} : text::quote(name);
}

}  // namespace

SchemaReader::SchemaReader(json::object input_schema) : schema_{std::move(input_schema)} {}

const json::object* SchemaReader::find_field(std::string_view name) const {
    const json::value* field = schema_.at("properties").as_object().if_contains(name);
    return field == nullptr ? nullptr : &field->as_object();
}

std::string_view SchemaReader::real_name(std::string_view name) const {
    if (find_field(name) != nullptr) return name;
    for (const Names& alias : kAliases) {
        if (alias.given == name && find_field(alias.meant) != nullptr) return alias.meant;
    }
    return name;
}

std::string SchemaReader::unknown_field_text(std::string_view name) const {
    std::string text = "unknown field " + name_text(name) + ".";
    for (const Names& names : kSuggestions) {
        if (name.find(names.given) == name.npos || find_field(names.meant) == nullptr) continue;
        text += " Use " + std::string{names.meant};
        if (const std::string_view unit = unit_of(names.meant); !unit.empty()) {
            text += " (" + std::string{unit} + ")";
        }
        text += ".";
        break;
    }
    text += " Fields: ";
    bool first = true;
    for (const json::key_value_pair& field : schema_.at("properties").as_object()) {
        if (!std::exchange(first, false)) text += ", ";
        text += std::string_view{field.key()};
    }
    return text + ".";
}

SchemaReader::Reading SchemaReader::read(const json::object& arguments) const {
    Reading reading;
    for (const json::key_value_pair& member : arguments) {
        if (member.value().is_null()) continue;
        const std::string_view name = real_name(member.key());
        const json::object* field = find_field(name);
        if (field == nullptr) {
            reading.error = unknown_field_text(member.key());
            return reading;
        }
        if (reading.values.contains(name)) {
            reading.error = std::string{name} + " is given twice: " + name_text(member.key()) +
                            " is another name of it. Give one.";
            return reading;
        }
        json::value value = coerced(member.value(), *field);
        const json::value* maximum = field->if_contains("maximum");
        if (maximum != nullptr && is_finite_number(value) &&
            value.to_number<double>() > maximum->to_number<double>()) {
            reading.facts.push_back(std::string{name} + " " + number_text(*maximum) + ", not " +
                                    number_text(value) + " (the ceiling)");
            value = *maximum;
        }
        if (!conforms(*field, value)) {
            reading.error = std::string{name} + " must be " + rule_text(name, *field) + ", got " +
                            value_text(member.value()) + ".";
            return reading;
        }
        reading.values[name] = std::move(value);
    }
    const json::value* required = schema_.if_contains("required");
    if (required == nullptr) return reading;
    for (const json::value& name : required->as_array()) {
        if (reading.values.contains(name.as_string())) continue;
        const std::string_view text = name.as_string();
        reading.error =
            std::string{text} + " is required: give " + rule_text(text, *find_field(text)) + ".";
        break;
    }
    return reading;
}

}  // namespace bgshell::tools
