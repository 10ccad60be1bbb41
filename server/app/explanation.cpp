#include <string>

#include "app/command_line.hpp"

namespace bgshell::app {

std::string explanation(std::string_view program) {
    const std::string path{program};
    return "bgshell " + std::string{version()} +
           ": background shell jobs for MCP clients.\n"
           "\n"
           "An MCP client starts this program itself and talks to it on stdin and stdout. Its "
           "agent can\n"
           "then start commands, carry on, be told when they end, read their output, type into "
           "them and\n"
           "stop them with everything they started.\n"
           "\n"
           "Add it to a client:\n"
           "\n"
           "  Claude Code   claude mcp add --scope user bgshell -- " +
           path +
           " mcp\n"
           "  Codex         codex mcp add bgshell -- " +
           path +
           " mcp\n"
           "  Gemini CLI    gemini mcp add -s user bgshell " +
           path +
           " mcp\n"
           "  most others   {\"mcpServers\":{\"bgshell\":{\"command\":\"" +
           path +
           "\",\"args\":[\"mcp\"]}}}\n"
           "\n"
           "Cursor, VS Code, Zed and Goose: see the files in examples/. All settings: bgshell "
           "--help\n";
}

}  // namespace bgshell::app
