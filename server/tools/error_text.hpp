// Errors as the model reads them: which tool, what was wrong, what to do next. Nothing was started
// or changed.
#pragma once

#include <string>
#include <string_view>

#include "jobs/error.hpp"
#include "tools/answer.hpp"
#include "tools/definitions.hpp"

namespace bgshell::tools {

// `start: cwd "/x" does not exist. Nothing was started.` `sentences` is whole sentences without the
// tool's name.
[[nodiscard]] Answer error_answer(Tool tool, const Manner& manner, std::string_view sentences);
[[nodiscard]] Answer error_answer(Tool tool, const Manner& manner, const jobs::Error& error);

// "start", without a prefix.
[[nodiscard]] std::string_view tool_name(Tool tool);

}  // namespace bgshell::tools
