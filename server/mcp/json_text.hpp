// JSON values as text, on one line that no reader can take for two. Boost's own serializer works
// byte by byte, which is the larger part of a big answer's time; this one copies runs.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace bgshell::mcp {

// Appends valid UTF-8 `text` as a JSON string with its quotation marks. U+2028 and U+2029 are
// escaped too: some readers of lines end one there.
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, const boost::json::value& value);
void append_json(std::string& out, const boost::json::object& object);
void append_json(std::string& out, const boost::json::array& array);

// About how long `object` becomes, so that the text is allocated once.
[[nodiscard]] std::size_t json_length_hint(const boost::json::object& object);

}  // namespace bgshell::mcp
