// The subset of JSON Schema that the schemas of this project use: type, properties, required, enum
// of strings, minimum, maximum, items. `description` is skipped. Any other keyword is a fault of
// the schema.
#pragma once

#include <boost/json/object.hpp>

namespace bgshell::tools {

// Whether `value` conforms to `schema`, as any JSON Schema validator would say: a number without a
// fraction is an integer, and members that `properties` does not name are allowed.
[[nodiscard]] bool conforms(const boost::json::object& schema, const boost::json::value& value);

// Whether `schema` and those in it use the keywords of the subset only, with values of the right
// kind.
[[nodiscard]] bool is_supported_schema(const boost::json::value& schema);

// 1e3000 is read as infinity, which is no number of any schema.
[[nodiscard]] bool is_finite_number(const boost::json::value& value);

}  // namespace bgshell::tools
