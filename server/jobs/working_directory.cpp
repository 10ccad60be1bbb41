#include "jobs/working_directory.hpp"

#include <array>

#include "jobs/environment.hpp"
#include "platform/directory.hpp"
#include "text/quote.hpp"

namespace bgshell::jobs {
namespace {

// What lies at the top of a project, and seldom in a home directory.
constexpr std::array<std::string_view, 14> kMarkers{
    ".git",           ".hg",          ".svn",          ".bgshell.toml",  "package.json",
    "pyproject.toml", "Cargo.toml",   "go.mod",        "CMakeLists.txt", "Makefile",
    "pom.xml",        "build.gradle", "composer.json", "Gemfile"};

bool has_marker(const std::string& directory) {
    for (const std::string_view marker : kMarkers) {
        if (platform::exists(directory + "/" + std::string{marker})) return true;
    }
    return false;
}

std::optional<std::string> canonical(const std::string& path) {
    if (!path.starts_with('/')) return std::nullopt;
    auto directory = platform::open_directory(path);
    if (!directory) return std::nullopt;
    return std::move(directory->path);
}

// Whether the front end's own directory tells anything about the project.
bool tells_project(const std::string& directory, const Surroundings& surroundings) {
    if (directory == "/") return false;
    return directory != canonical(surroundings.home) || has_marker(directory);
}

Error wrong_cwd(const std::string& path, const std::string& what) {
    return {ErrorKind::bad_argument, "cwd " + text::quote(path) + " " + what + "."};
}

Error describe(const std::string& path, const platform::error_code& error) {
    if (error == platform::errno_code(ENOENT)) return wrong_cwd(path, "does not exist");
    if (error == platform::errno_code(ENOTDIR)) {
        return wrong_cwd(path, platform::exists(path) ? "is a file, not a directory"
                                                      : "does not exist: a part of it is a file");
    }
    return wrong_cwd(path, "cannot be entered: " + error.message());
}

Error no_project(const Surroundings& surroundings) {
    std::string why = "the client named no project directory, and this server runs in " +
                      text::quote(surroundings.working_directory);
    if (surroundings.working_directory.empty()) {
        why = "the directory in which this server runs has been removed";
        if (!surroundings.removed_directory.empty()) {
            why = "the directory " + text::quote(surroundings.removed_directory) +
                  ", in which this server runs, has been removed";
        }
    }
    return {ErrorKind::bad_argument,
            "cwd is needed: " + why + ". Give cwd, the absolute path of a directory."};
}

}  // namespace

std::string determine_scope(const Surroundings& surroundings, std::string_view client) {
    for (const std::string_view name : {"CLAUDE_PROJECT_DIR", "GOOSE_WORKING_DIR"}) {
        const auto value = find_variable(surroundings.environment, name);
        const auto directory = value ? canonical(*value) : std::nullopt;
        if (directory && *directory != "/") return *directory;
    }
    const auto own = canonical(surroundings.working_directory);
    if (own && tells_project(*own, surroundings)) return *own;
    return "client:" + std::string{client};
}

Result<WorkingDirectory> open_working_directory(const std::optional<std::string>& asked,
                                                const std::string& scope,
                                                const Surroundings& surroundings) {
    const bool scope_is_directory = scope.starts_with('/');
    std::string path = asked.value_or("");
    if (path.find('\0') != std::string::npos) return wrong_cwd(path, "contains a NUL byte");
    if (path.empty()) {
        if (!scope_is_directory) return no_project(surroundings);
        path = scope;
    } else if ((path == "~" || path.starts_with("~/")) && !surroundings.home.empty()) {
        path = surroundings.home + path.substr(1);
    } else if (!path.starts_with('/')) {
        if (!scope_is_directory) {
            return wrong_cwd(path,
                             "is relative, and the project directory is not known. "
                             "Give an absolute path");
        }
        path = scope + "/" + path;
    }
    auto directory = platform::open_directory(path);
    if (!directory) return describe(path, directory.error());
    return WorkingDirectory{std::move(directory->path), std::move(directory->fd)};
}

}  // namespace bgshell::jobs
