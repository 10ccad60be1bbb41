// The files of schemas/ as they were at build time (server/cmake/BgshellEmbed.cmake).
#pragma once

#include <string_view>

namespace bgshell::tools::embedded {

extern const std::string_view tools_json;        // name, title, description, annotations
extern const std::string_view instructions_txt;  // of the server

extern const std::string_view start_input_json;
extern const std::string_view await_input_json;
extern const std::string_view output_input_json;
extern const std::string_view send_input_json;
extern const std::string_view cancel_input_json;
extern const std::string_view list_input_json;

extern const std::string_view start_output_json;
extern const std::string_view await_output_json;
extern const std::string_view output_output_json;
extern const std::string_view send_output_json;
extern const std::string_view cancel_output_json;
extern const std::string_view list_output_json;

}  // namespace bgshell::tools::embedded
