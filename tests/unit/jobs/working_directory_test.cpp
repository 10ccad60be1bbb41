#include "jobs/working_directory.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::jobs;
namespace fs = std::filesystem;

struct DirectoryFixture {
    bgshell::test::TemporaryDirectory place;
    Surroundings surroundings;
    std::string home = place.file("home");
    std::string project = place.file("project");

    DirectoryFixture() {
        fs::create_directories(home);
        fs::create_directories(project + "/sub");
        surroundings.home = home;
        surroundings.working_directory = project;
    }
    std::string opened(const std::optional<std::string>& asked, const std::string& scope) const {
        const auto directory = open_working_directory(asked, scope, surroundings);
        REQUIRE(directory.has_value());
        struct stat by_path {};
        struct stat by_fd {};
        REQUIRE(::stat(directory->path.c_str(), &by_path) == 0);
        REQUIRE(::fstat(directory->fd.get(), &by_fd) == 0);
        CHECK(by_path.st_ino == by_fd.st_ino);
        CHECK((::fcntl(directory->fd.get(), F_GETFD) & FD_CLOEXEC) != 0);
        return directory->path;
    }
    std::string refusal(const std::optional<std::string>& asked, const std::string& scope) const {
        const auto directory = open_working_directory(asked, scope, surroundings);
        REQUIRE(directory.has_error());
        CHECK(directory.error().kind() == ErrorKind::bad_argument);
        return directory.error().text();
    }
};

TEST_CASE_FIXTURE(DirectoryFixture,
                  "the scope is what the client says, else where the process runs") {
    CHECK(determine_scope(surroundings, "zed") == project);
    surroundings.environment = {"GOOSE_WORKING_DIR=" + project + "/sub"};
    CHECK(determine_scope(surroundings, "zed") == project + "/sub");
    surroundings.environment.push_back("CLAUDE_PROJECT_DIR=" + home);
    CHECK(determine_scope(surroundings, "zed") == home);
}

TEST_CASE_FIXTURE(DirectoryFixture, "a directory that tells nothing is no scope") {
    surroundings.working_directory = "/";
    CHECK(determine_scope(surroundings, "claude-ai") == "client:claude-ai");
    surroundings.working_directory = "";
    CHECK(determine_scope(surroundings, "") == "client:");
    surroundings.working_directory = place.file("removed");
    CHECK(determine_scope(surroundings, "x") == "client:x");
    surroundings.working_directory = home;
    CHECK(determine_scope(surroundings, "x") == "client:x");
    fs::create_directory_symlink(home, place.file("other-name"));
    surroundings.working_directory = place.file("other-name");
    CHECK(determine_scope(surroundings, "x") == "client:x");
    fs::create_directory(home + "/.git");
    CHECK(determine_scope(surroundings, "x") == home);
}

TEST_CASE_FIXTURE(DirectoryFixture, "what a client says is passed over where it is no directory") {
    for (const std::string& value : {std::string{"/"}, place.file("gone"), std::string{"relative"},
                                     std::string{}, std::string{"/etc/passwd"}}) {
        CAPTURE(value);
        surroundings.environment = {"CLAUDE_PROJECT_DIR=" + value};
        CHECK(determine_scope(surroundings, "x") == project);
    }
}

TEST_CASE_FIXTURE(DirectoryFixture, "the scope is canonical") {
    fs::create_directory_symlink(project, place.file("link"));
    surroundings.environment = {"CLAUDE_PROJECT_DIR=" + place.file("link/./sub/..") + "/"};
    CHECK(determine_scope(surroundings, "x") == project);
}

TEST_CASE_FIXTURE(DirectoryFixture, "cwd is relative to the scope, absolute, or below home") {
    CHECK(opened(std::nullopt, project) == project);
    CHECK(opened("", project) == project);
    CHECK(opened("sub", project) == project + "/sub");
    CHECK(opened("sub/../sub/", project) == project + "/sub");
    CHECK(opened("..", project) == place.path());
    CHECK(opened(home, project) == home);
    CHECK(opened("/", "client:x") == "/");
    CHECK(opened("~", project) == home);
    CHECK(opened("~/../project", "client:x") == project);
    fs::create_directory_symlink(project, place.file("link"));
    CHECK(opened(place.file("link/sub"), "client:x") == project + "/sub");
}

TEST_CASE_FIXTURE(DirectoryFixture, "a cwd that cannot be is an error that names it") {
    CHECK(refusal(place.file("apo"), project) ==
          "cwd \"" + place.file("apo") + "\" does not exist.");
    CHECK(refusal("apo", project) == "cwd \"" + project + "/apo\" does not exist.");
    REQUIRE(::mknod((project + "/file").c_str(), S_IFREG | 0600, 0) == 0);
    CHECK(refusal("file", project) == "cwd \"" + project + "/file\" is a file, not a directory.");
    CHECK(refusal("file/x", project) ==
          "cwd \"" + project + "/file/x\" does not exist: a part of it is a file.");
    CHECK(refusal(std::string{"a\0b", 3}, project).find("NUL") != std::string::npos);
    CHECK(refusal(std::string(5000, 'x'), project).find("File name too long") != std::string::npos);
    CHECK(refusal("sub", "client:x").find("Give an absolute path.") != std::string::npos);
    const bool root = ::geteuid() == 0;  // who enters everything
    REQUIRE(::chmod((project + "/sub").c_str(), 0600) == 0);
    REQUIRE(::chmod(place.file("").c_str(), 0755) == 0);
    if (root) REQUIRE(::seteuid(65534) == 0);
    const std::string said = refusal("sub", project);
    if (root) REQUIRE(::seteuid(0) == 0);
    CHECK(said == "cwd \"" + project + "/sub\" cannot be entered: Permission denied.");
}

TEST_CASE_FIXTURE(DirectoryFixture, "without a scope a call must name its cwd, and is told why") {
    surroundings.working_directory = "/";
    CHECK(
        refusal(std::nullopt, "client:x") ==
        "cwd is needed: the client named no project directory, and this server runs in \"/\". Give "
        "cwd, the absolute path of a directory.");
    surroundings.working_directory = "";
    surroundings.removed_directory = project;
    CHECK(refusal(std::nullopt, "client:x").find("\"" + project + "\"") != std::string::npos);
    surroundings.removed_directory = "";
    CHECK(refusal(std::nullopt, "client:x").find("has been removed") != std::string::npos);
}

TEST_CASE_FIXTURE(DirectoryFixture, "a scope that was removed later is named") {
    fs::remove_all(project);
    CHECK(refusal(std::nullopt, project) == "cwd \"" + project + "\" does not exist.");
    CHECK(opened("/", project) == "/");
}

}  // namespace
