#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <deque>

namespace bgshell::app {
namespace {

std::string help_of(const Setting& setting) {
    std::string help = std::string{setting.help} + " " + setting.rule();
    const auto shown = setting.show(Configuration{});
    if (!shown.empty()) help += ", default " + shown;
    return help + " (" + setting.variable() + ")";
}

}  // namespace

std::string_view version() noexcept {
    return BGSHELL_VERSION;
}

Command parse_command_line(const std::vector<std::string>& arguments, bool stdin_is_terminal) {
    CLI::App app{
        "Background shell jobs for MCP clients, on Linux.\n"
        "Without a verb it serves MCP on stdin and stdout; on a terminal it explains itself.",
        "bgshell"};
    app.get_formatter()->column_width(32);
    app.set_version_flag("--version", "bgshell " + std::string{version()});
    app.set_help_flag("-h,--help", "Print this and exit");
    app.footer(
        "Settings come from ~/.config/bgshell/config.toml, then variables, then flags.\n"
        "State: $BGSHELL_STATE, else $XDG_STATE_HOME/bgshell, else ~/.local/state/bgshell.");
    auto* serve = app.add_subcommand("mcp", "Serve MCP on stdin and stdout, also on a terminal");
    serve->fallthrough();
    app.require_subcommand(0, 1);

    std::deque<std::vector<std::string>> given;  // stable addresses
    std::vector<std::pair<const Setting*, CLI::Option*>> options;
    for (const auto& setting : settings()) {
        given.emplace_back();
        auto* option = app.add_option(setting.flag(), given.back(), help_of(setting));
        option->type_name("VALUE")->expected(1)->multi_option_policy(
            setting.is_list() ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
        options.emplace_back(&setting, option);
    }

    try {
        app.parse(std::vector<std::string>{arguments.rbegin(), arguments.rend()});
    } catch (const CLI::CallForHelp&) {
        return PrintText{app.help(), 0};
    } catch (const CLI::CallForVersion& call) {
        return PrintText{std::string{call.what()} + "\n", 0};
    } catch (const CLI::ParseError& error) {
        return PrintText{"bgshell: " + std::string{error.what()} + "\nSee bgshell --help.\n", 2};
    }

    ServeStdio command;
    for (const auto& [setting, option] : options) {
        if (option->count() == 0) continue;
        const auto& items = option->results();
        std::string text = items.back();
        if (setting->is_list()) text = CLI::detail::join(items, "\n");
        command.flags.push_back({setting, std::move(text)});
    }
    if (!serve->parsed() && stdin_is_terminal && command.flags.empty()) return Explain{};
    return command;
}

}  // namespace bgshell::app
