// What clients get wrong and what they meant: "30" for 30, "true", one text for a list, a JSON text
// that holds a list or an object, a number for a text, an object for `env`, TERM written as
// SIGTERM.
#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace bgshell::tools {

// `value` in the form that `schema` (a property of an input schema) asks for, where it is clear
// what was meant; else unchanged. Never fails: whether the result conforms is another question.
[[nodiscard]] boost::json::value coerced(boost::json::value value,
                                         const boost::json::object& schema);

// 1800000, 0.5: a number as a person writes it.
[[nodiscard]] std::string number_text(const boost::json::value& number);

}  // namespace bgshell::tools
