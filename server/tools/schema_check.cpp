#include "tools/schema_check.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>

namespace bgshell::tools {
namespace {

namespace json = boost::json;

bool is_integer(const json::value& value) {
    if (value.is_int64() || value.is_uint64()) return true;
    return value.is_double() && std::floor(value.get_double()) == value.get_double();
}

bool has_type(const json::value& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "integer") return is_finite_number(value) && is_integer(value);
    if (type == "number") return is_finite_number(value);
    return false;
}

// Holds every 64-bit integer and every double exactly.
long double exact(const json::value& number) {
    static_assert(std::numeric_limits<long double>::digits >= 64);
    if (number.is_int64()) return static_cast<long double>(number.get_int64());
    if (number.is_uint64()) return static_cast<long double>(number.get_uint64());
    return static_cast<long double>(number.get_double());
}

bool members_conform(const json::object& schema, const json::object& object) {
    if (const json::value* required = schema.if_contains("required")) {
        for (const json::value& name : required->as_array()) {
            if (!object.contains(name.as_string())) return false;
        }
    }
    const json::value* properties = schema.if_contains("properties");
    if (properties == nullptr) return true;
    return std::all_of(object.begin(), object.end(), [&](const json::key_value_pair& member) {
        const json::value* property = properties->as_object().if_contains(member.key());
        return property == nullptr || conforms(property->as_object(), member.value());
    });
}

bool is_supported(std::string_view keyword, const json::value& value) {
    const auto all_strings = [](const json::value& list) {
        return list.is_array() &&
               std::all_of(list.get_array().begin(), list.get_array().end(),
                           [](const json::value& item) { return item.is_string(); });
    };
    if (keyword == "type" || keyword == "description") return value.is_string();
    if (keyword == "required" || keyword == "enum") return all_strings(value);
    if (keyword == "minimum" || keyword == "maximum") return value.is_number();
    if (keyword == "items") return is_supported_schema(value);
    if (keyword != "properties" || !value.is_object()) return false;
    return std::all_of(value.get_object().begin(), value.get_object().end(),
                       [](const auto& member) { return is_supported_schema(member.value()); });
}

}  // namespace

bool is_finite_number(const json::value& value) {
    return value.is_number() && std::isfinite(value.to_number<double>());
}

bool conforms(const json::object& schema, const json::value& value) {
    if (const json::value* type = schema.if_contains("type")) {
        if (!has_type(value, type->as_string())) return false;
    }
    if (const json::value* words = schema.if_contains("enum")) {
        const json::array& list = words->as_array();
        if (std::find(list.begin(), list.end(), value) == list.end()) return false;
    }
    if (value.is_number()) {
        const json::value* minimum = schema.if_contains("minimum");
        const json::value* maximum = schema.if_contains("maximum");
        if (minimum != nullptr && exact(value) < exact(*minimum)) return false;
        if (maximum != nullptr && exact(value) > exact(*maximum)) return false;
    }
    if (value.is_array()) {
        if (const json::value* items = schema.if_contains("items")) {
            const json::array& list = value.get_array();
            return std::all_of(list.begin(), list.end(), [&](const json::value& item) {
                return conforms(items->as_object(), item);
            });
        }
    }
    return !value.is_object() || members_conform(schema, value.get_object());
}

bool is_supported_schema(const json::value& schema) {
    if (!schema.is_object()) return false;
    return std::all_of(schema.get_object().begin(), schema.get_object().end(),
                       [](const json::key_value_pair& member) {
                           return is_supported(member.key(), member.value());
                       });
}

}  // namespace bgshell::tools
