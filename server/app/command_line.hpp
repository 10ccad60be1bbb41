// The command line: which verb, which settings.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/configuration_reader.hpp"

namespace bgshell::app {

[[nodiscard]] std::string_view version() noexcept;

// Serve MCP on stdin and stdout.
struct ServeStdio {
    std::vector<FlagValue> flags;
};
// Say what this is and how to add it to a client.
struct Explain {};
// Print `text`, end with `exit_code`.
struct PrintText {
    std::string text;
    int exit_code = 0;  // other than 0: to stderr
};
using Command = std::variant<ServeStdio, Explain, PrintText>;

// Never prints, never exits. `stdin_is_terminal` decides what no verb means: a person gets an
// explanation, a client the server.
[[nodiscard]] Command parse_command_line(const std::vector<std::string>& arguments,
                                         bool stdin_is_terminal);

// The explanation for a person, with the program's own path in the settings blocks.
[[nodiscard]] std::string explanation(std::string_view program);

}  // namespace bgshell::app
