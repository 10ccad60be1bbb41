#include "jobs/shell_choice.hpp"

#include <optional>

#include "jobs/environment.hpp"
#include "platform/executable.hpp"
#include "text/quote.hpp"

namespace bgshell::jobs {

Result<std::string> choose_shell(const Settings& settings, const Surroundings& surroundings,
                                 const ShellPlaces& places) {
    const auto unusable = [](const std::string& shell, const std::string& why) {
        return Error{ErrorKind::unavailable, "shell " + text::quote(shell) + " cannot be used: " +
                                                 why + ". Set shell.path in the configuration."};
    };
    if (const std::string& shell = settings.shell_path; !shell.empty()) {
        if (!shell.starts_with('/')) return unusable(shell, "it is not an absolute path");
        if (const auto error = platform::check_executable(shell))
            return unusable(shell, error.message());
        return shell;
    }
    for (const std::string& bash : places.bash) {
        if (!platform::check_executable(bash)) return bash;
    }
    const std::string shell = find_variable(surroundings.environment, "SHELL").value_or("");
    if (shell.starts_with('/') && shell.ends_with("/zsh") && !platform::check_executable(shell)) {
        return shell;
    }
    if (const auto error = platform::check_executable(places.sh)) {
        return unusable(places.sh, error.message());
    }
    return places.sh;
}

}  // namespace bgshell::jobs
