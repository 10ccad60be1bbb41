#include "tools/coercion.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdio>
#include <optional>

#include "tools/schema_check.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t from = text.find_first_not_of(kBlank);
    if (from == text.npos) return {};
    return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

std::string upper(std::string_view text) {
    std::string result{text};
    std::transform(result.begin(), result.end(), result.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return result;
}

std::optional<json::value> parsed(std::string_view text) {
    json::error_code error;
    json::value value = json::parse(trimmed(text), error);
    if (error) return std::nullopt;
    return value;
}

// 30.0 is 30.
json::value as_whole(json::value number) {
    if (!number.is_double()) return number;
    const double value = number.get_double();
    if (std::floor(value) != value || std::fabs(value) > 9e15) return number;
    return static_cast<std::int64_t>(value);
}

json::value to_number(json::value value) {
    if (value.is_string()) {
        auto number = parsed(value.get_string());
        if (!number || !is_finite_number(*number)) return value;
        value = std::move(*number);
    }
    return as_whole(std::move(value));
}

json::value to_boolean(json::value value) {
    if (value.is_string()) {
        const std::string word = upper(trimmed(value.get_string()));
        if (word == "TRUE" || word == "1") return true;
        if (word == "FALSE" || word == "0") return false;
    } else if (value.is_int64()) {
        if (value.get_int64() == 1) return true;
        if (value.get_int64() == 0) return false;
    }
    return value;
}

json::value to_text(json::value value) {
    if (value.is_number()) return json::string(number_text(value));
    if (value.is_array() && value.get_array().size() == 1 && value.get_array()[0].is_string()) {
        json::string only = value.get_array()[0].get_string();
        return only;
    }
    return value;
}

json::value to_word(json::value value, const json::array& words) {
    value = to_text(std::move(value));
    if (!value.is_string()) return value;
    const std::string given = upper(trimmed(value.get_string()));
    for (const json::value& word : words) {
        const std::string known = upper(word.as_string());
        if (given == known || given == "SIG" + known) return word;
    }
    return value;
}

// {"NAME": "value"} is ["NAME=value"].
json::value entries_of(const json::object& object) {
    json::array entries;
    for (const json::key_value_pair& member : object) {
        json::value value = member.value();
        if (value.is_null()) continue;
        if (value.is_bool()) value = json::string(value.get_bool() ? "true" : "false");
        value = to_text(std::move(value));
        if (!value.is_string()) return object;
        std::string entry{member.key()};
        entry += '=';
        entry += std::string_view{value.get_string()};
        entries.push_back(json::string(entry));
    }
    return entries;
}

json::value to_list(json::value value, const json::object& schema) {
    if (value.is_string()) {
        const std::string_view text = trimmed(value.get_string());
        if (text.starts_with('[') || text.starts_with('{')) {
            if (auto inner = parsed(text)) value = std::move(*inner);
        }
    }
    if (value.is_object()) value = entries_of(value.get_object());
    if (value.is_string() || value.is_number()) {
        json::array list;
        list.push_back(std::move(value));
        value = std::move(list);
    }
    const json::value* items = schema.if_contains("items");
    if (!value.is_array() || items == nullptr) return value;
    for (json::value& item : value.get_array()) item = coerced(std::move(item), items->as_object());
    return value;
}

}  // namespace

std::string number_text(const json::value& number) {
    if (number.is_uint64()) return std::to_string(number.get_uint64());
    const json::value plain = as_whole(number);
    if (plain.is_int64()) return std::to_string(plain.get_int64());
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.12g", number.get_double());
    return text.data();
}

json::value coerced(json::value value, const json::object& schema) {
    const json::value* type = schema.if_contains("type");
    if (type == nullptr) return value;
    const std::string_view name = type->as_string();
    if (name == "number" || name == "integer") return to_number(std::move(value));
    if (name == "boolean") return to_boolean(std::move(value));
    if (name == "array") return to_list(std::move(value), schema);
    if (name != "string") return value;
    if (const json::value* words = schema.if_contains("enum")) {
        return to_word(std::move(value), words->as_array());
    }
    return to_text(std::move(value));
}

}  // namespace bgshell::tools
