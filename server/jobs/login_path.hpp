// The PATH that the user has in a terminal. Desktops give servers a bare one, in which no tool of
// the user is found; only the user's own login shell, with its start-up files, knows the real one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/settings.hpp"
#include "platform/clock.hpp"

namespace bgshell::jobs {

struct LoginPath {
    std::optional<std::string> path;
    // Why there is none, e.g. `the login shell "/bin/zsh" did not answer within 3 s`; empty where
    // there was nobody to ask.
    std::string failure;
    friend bool operator==(const LoginPath&, const LoginPath&) = default;
};

struct LoginPathQuestion {
    std::string shell;                     // absolute
    std::string home;                      // where it runs
    std::vector<std::string> environment;  // NAME=value
    platform::Milliseconds limit{3000};
};

// nullopt without a $SHELL. The shell gets what a login gives it and no more (HOME, USER, language,
// a PATH of system directories, ...), so that the answer does not depend on who started us.
[[nodiscard]] std::optional<LoginPathQuestion> login_path_question(
    const Surroundings& surroundings);

// Runs `shell -l -i -c` without a terminal and reads the PATH that it prints between two marks.
// Ends within the limit, and ends every process of the shell's session before it returns; of its
// output no more than 1 MiB is read. A cancelled call ends them too.
boost::asio::awaitable<LoginPath> ask_login_path(LoginPathQuestion question);

// What the shell is told to run so that PATH comes between marks made of `token`. Works in sh,
// bash, zsh, fish and csh alike, and does not contain the marks, in case a start-up file prints
// commands.
[[nodiscard]] std::string login_path_command(std::string_view token);
// The PATH between the marks, nullopt as long as the end mark has not come. An empty string: it is
// there, but no list of directories.
[[nodiscard]] std::optional<std::string> find_login_path(std::string_view output,
                                                         std::string_view token);

}  // namespace bgshell::jobs
