// What an exit code says beyond its number, where a convention gives it a meaning.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bgshell::tools {

// "grep: nothing found" where the code is an answer of the command's last program and no fault;
// nullopt where that is not certain: the code may come from an earlier part of the command, or the
// command is more than a plain list of pipelines. `printed_nothing`: the job produced no output.
[[nodiscard]] std::optional<std::string> answer_in_exit_code(std::string_view command,
                                                             int exit_code, bool printed_nothing);

// "perhaps its last command died by SIGTERM" for 128 + the number of a signal.
[[nodiscard]] std::optional<std::string> signal_in_exit_code(int exit_code);

// The advice on "command not found" (127), without "next: ".
[[nodiscard]] std::string command_not_found_advice(std::string_view command);

}  // namespace bgshell::tools
