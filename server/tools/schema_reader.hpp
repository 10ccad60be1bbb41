// SchemaReader: the one reader of tool arguments, directed by the published input schema. First it
// takes what clients get wrong for what they meant, then it refuses: the field, the value, the
// rule, the next step.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

namespace bgshell::tools {

class SchemaReader {
  public:
    // An input schema within the subset of schema_check.hpp.
    explicit SchemaReader(boost::json::object input_schema);

    struct Reading {
        boost::json::object
            values;  // conforms to the schema, and has no other members; null is absent
        std::vector<std::string> facts;  // "runtime_limit_s 86400, not 1800000 (the ceiling)"
        std::string error;               // whole sentences; empty: the arguments are good
    };
    // A number above its maximum is lowered and said. Everything else that does not fit is an
    // error.
    [[nodiscard]] Reading read(const boost::json::object& arguments) const;

  private:
    [[nodiscard]] const boost::json::object* find_field(std::string_view name) const;
    [[nodiscard]] std::string_view real_name(std::string_view name) const;
    [[nodiscard]] std::string unknown_field_text(std::string_view name) const;

    boost::json::object schema_;
};

}  // namespace bgshell::tools
