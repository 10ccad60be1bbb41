#include "jobs/environment.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "text/quote.hpp"

namespace bgshell::jobs {
namespace {

// What a login adds nothing to: a PATH of only these was not made by the user.
constexpr std::array<std::string_view, 9> kSystemDirectories{
    "/usr/local/sbin", "/usr/local/bin",   "/usr/sbin", "/usr/bin", "/sbin", "/bin",
    "/usr/games",      "/usr/local/games", "/snap/bin"};

constexpr std::array<std::string_view, 3> kRemoved{"GIT_ASKPASS", "FORCE_COLOR", "CLICOLOR_FORCE"};

// Run by a shell or split into words by the few programs that use none; the name of the file, which
// is added to it, does no harm.
constexpr std::string_view kEditor =
    "sh -c 'echo \"bgshell: this job has no terminal, so no editor can open. Give the text in the "
    "command (git commit -m TEXT, git merge --no-edit, git -c core.editor=true rebase --continue), "
    "or "
    "set EDITOR in env.\" >&2; exit 1'";

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kReplaced{{
    {"TERM", "dumb"},
    {"NO_COLOR", "1"},
    {"PAGER", "cat"},
    {"GIT_PAGER", "cat"},
    {"PYTHONUNBUFFERED", "1"},
    {"GIT_TERMINAL_PROMPT", "0"},
    {"SSH_ASKPASS_REQUIRE", "never"},
    {"EDITOR", kEditor},
    {"VISUAL", kEditor},
    {"GIT_EDITOR", kEditor},
}};

struct Variable {
    std::string_view name;
    std::string_view value;
};

// nullopt: not of the form NAME=value.
std::optional<Variable> parse(std::string_view entry) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) return std::nullopt;
    return Variable{entry.substr(0, equals), entry.substr(equals + 1)};
}

bool is_ours_and_secret(std::string_view name) {
    return name.starts_with("BGSHELL_") && (name.find("TOKEN") != std::string_view::npos ||
                                            name.find("SECRET") != std::string_view::npos);
}

// Variables in the order in which they came, each name once.
class Variables {
  public:
    [[nodiscard]] std::optional<std::string> find(std::string_view name) const {
        const auto found = std::ranges::find(entries_, name, &Entry::first);
        if (found == entries_.end()) return std::nullopt;
        return found->second;
    }
    void set(std::string_view name, std::string_view value) {
        const auto found = std::ranges::find(entries_, name, &Entry::first);
        if (found != entries_.end()) {
            found->second = value;
        } else {
            entries_.emplace_back(name, value);
        }
    }
    void unset(std::string_view name) {
        std::erase_if(entries_, [&](const Entry& entry) { return entry.first == name; });
    }
    void set_all(const std::vector<std::string>& entries) {
        for (const std::string& entry : entries) {
            if (const auto variable = parse(entry)) set(variable->name, variable->value);
        }
    }
    [[nodiscard]] std::vector<std::string> to_entries() const {
        std::vector<std::string> entries;
        entries.reserve(entries_.size());
        for (const auto& [name, value] : entries_) entries.push_back(name + "=" + value);
        return entries;
    }

  private:
    using Entry = std::pair<std::string, std::string>;
    std::vector<Entry> entries_;
};

std::vector<std::string_view> directories(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find(':'), path.size());
        parts.push_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

std::string_view without_trailing_slash(std::string_view directory) {
    while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
    return directory;
}

bool is_system_directory(std::string_view directory) {
    const auto* found = std::ranges::find(kSystemDirectories, without_trailing_slash(directory));
    return found != kSystemDirectories.end();
}

Variables inherited(const Surroundings& surroundings) {
    Variables variables;
    for (const std::string& entry : surroundings.environment) {
        const auto variable = parse(entry);
        if (!variable || is_ours_and_secret(variable->name)) continue;
        if (!variables.find(variable->name)) variables.set(variable->name, variable->value);
    }
    for (const std::string_view name : kRemoved) variables.unset(name);
    return variables;
}

}  // namespace

std::optional<std::string> find_variable(const std::vector<std::string>& environment,
                                         std::string_view name) {
    for (const std::string& entry : environment) {
        const auto variable = parse(entry);
        if (variable && variable->name == name) return std::string{variable->value};
    }
    return std::nullopt;
}

Result<void> check_env(const std::vector<std::string>& entries) {
    for (const std::string& entry : entries) {
        const auto variable = parse(entry);
        if (!variable) {
            return Error{ErrorKind::bad_argument, "env entries are \"NAME=value\", got " +
                                                      text::quote(entry.substr(0, 40)) + "."};
        }
        if (entry.find('\0') != std::string::npos) {
            return Error{ErrorKind::bad_argument,
                         "env " + text::quote(variable->name) +
                             " contains a NUL byte, which no variable can hold."};
        }
    }
    return {};
}

std::string merge_path(std::string_view inherited, std::string_view login) {
    const auto present = directories(inherited);
    if (std::ranges::all_of(present, is_system_directory)) return std::string{login};
    std::string merged{inherited};
    std::vector<std::string_view> known;
    for (const std::string_view directory : present)
        known.push_back(without_trailing_slash(directory));
    for (const std::string_view directory : directories(login)) {
        const std::string_view bare = without_trailing_slash(directory);
        if (!bare.starts_with('/') || std::ranges::find(known, bare) != known.end()) continue;
        known.push_back(bare);
        merged.append(":").append(directory);
    }
    return merged;
}

std::vector<std::string> job_environment(const Surroundings& surroundings, const Settings& settings,
                                         const std::optional<std::string>& login_path,
                                         const std::vector<std::string>& call,
                                         const keeper::JobId& id) {
    Variables variables = inherited(surroundings);
    if (login_path) {
        variables.set("PATH", merge_path(variables.find("PATH").value_or(""), *login_path));
    }
    for (const auto& [name, value] : kReplaced) variables.set(name, value);
    if (variables.find("LANG").value_or("").empty()) variables.set("LANG", "C.UTF-8");
    variables.set("BGSHELL_JOB_ID", id.text());
    variables.set_all(settings.env_set);
    for (const std::string& name : settings.env_unset) variables.unset(name);
    variables.set_all(call);
    return variables.to_entries();
}

}  // namespace bgshell::jobs
