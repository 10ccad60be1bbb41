// Composition only: which program this process is, and what it is given.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/config_file.hpp"
#include "app/configuration_reader.hpp"
#include "app/log.hpp"
#include "app/process_setup.hpp"
#include "app/stdio_server.hpp"
#include "keeper/fork_server.hpp"
#include "keeper/keeper_main.hpp"

namespace {

using namespace bgshell::app;

int print(const std::string& text, int exit_code) {
    auto* stream = exit_code == 0 ? stdout : stderr;
    const bool printed = std::fputs(text.c_str(), stream) >= 0 && std::fflush(stream) == 0;
    return printed ? exit_code : 1;
}

int serve(const ServeStdio& command) {
    auto surroundings = read_surroundings();
    const auto path = default_config_path(value_of(surroundings.environment, "XDG_CONFIG_HOME"),
                                          surroundings.home);
    const auto file = path.empty() ? ConfigFile{} : read_config_file(path);
    const auto loaded = load_configuration(file, surroundings.environment, command.flags);
    const Log log{loaded.configuration.log_level};
    for (const auto& warning : loaded.warnings) log.write(LogLevel::warn, warning);
    StdioServer server{loaded.configuration, std::move(surroundings), ::getpid() == 1, log};
    return server.run();
}

int run(const std::vector<std::string>& arguments) {
    const auto command = parse_command_line(arguments, ::isatty(STDIN_FILENO) == 1);
    if (const auto* text = std::get_if<PrintText>(&command)) {
        return print(text->text, text->exit_code);
    }
    if (std::holds_alternative<Explain>(command)) return print(explanation(program_path()), 0);
    return serve(std::get<ServeStdio>(command));
}

}  // namespace

int main(int argc, char** argv) {
    // Keepers share nothing with a front end.
    if (argc > 0 && argv[0] == bgshell::keeper::kKeeperName) bgshell::keeper::keeper_main();
    prepare_process();
    try {
        return run({argv + (argc > 0 ? 1 : 0), argv + argc});
    } catch (const std::exception& error) {
        static_cast<void>(std::fprintf(stderr, "bgshell: %s\n", error.what()));
        return 1;
    }
}
