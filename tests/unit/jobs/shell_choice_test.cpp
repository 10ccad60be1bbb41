#include "jobs/shell_choice.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::jobs;

struct Fixture {
    bgshell::test::TemporaryDirectory place;
    Settings settings;
    Surroundings surroundings;
    ShellPlaces places{{place.file("none"), place.file("bash")}, place.file("sh")};

    void make(const char* name, mode_t mode) const {
        REQUIRE(::mknod(place.file(name).c_str(), S_IFREG | mode, 0) == 0);
    }
    std::string chosen() const {
        const auto shell = choose_shell(settings, surroundings, places);
        REQUIRE(shell.has_value());
        return *shell;
    }
    std::string refusal() const {
        const auto shell = choose_shell(settings, surroundings, places);
        REQUIRE(shell.has_error());
        CHECK(shell.error().kind() == ErrorKind::unavailable);
        return shell.error().text();
    }
};

TEST_CASE_FIXTURE(Fixture, "the configured shell, else bash, else zsh, else sh") {
    make("sh", 0700);
    make("zsh", 0700);
    surroundings.environment = {"SHELL=" + place.file("zsh")};
    CHECK(chosen() == place.file("zsh"));
    make("bash", 0700);
    CHECK(chosen() == place.file("bash"));
    make("mine", 0700);
    settings.shell_path = place.file("mine");
    CHECK(chosen() == place.file("mine"));
}

TEST_CASE_FIXTURE(Fixture, "another login shell than zsh is never taken unasked") {
    make("sh", 0700);
    make("fish", 0700);
    surroundings.environment = {"SHELL=" + place.file("fish")};
    CHECK(chosen() == place.file("sh"));
    surroundings.environment = {"SHELL=" + place.file("zsh")};  // not installed
    CHECK(chosen() == place.file("sh"));
    surroundings.environment = {"SHELL=zsh"};
    CHECK(chosen() == place.file("sh"));
}

TEST_CASE_FIXTURE(Fixture, "a bash that cannot be executed is passed over") {
    make("sh", 0700);
    make("bash", 0600);
    CHECK(chosen() == place.file("sh"));
}

TEST_CASE_FIXTURE(Fixture, "a configured shell that cannot be used is named, with the reason") {
    make("sh", 0700);
    SUBCASE("absent") {
        settings.shell_path = place.file("gone");
        CHECK(refusal() ==
              "shell \"" + place.file("gone") +
                  "\" cannot be used: No such file or directory. Set shell.path in the "
                  "configuration.");
    }
    SUBCASE("not executable") {
        make("plain", 0600);
        settings.shell_path = place.file("plain");
        CHECK(refusal().find("Permission denied") != std::string::npos);
    }
    SUBCASE("a directory") {
        settings.shell_path = place.path();
        CHECK(refusal().find("Is a directory") != std::string::npos);
    }
    SUBCASE("no path") {
        settings.shell_path = "bash";
        CHECK(refusal().find("not an absolute path") != std::string::npos);
    }
}

TEST_CASE_FIXTURE(Fixture, "a system without any shell is told by the last one") {
    CHECK(refusal().find(place.file("sh")) != std::string::npos);
}

TEST_CASE("this system has a shell") {
    CHECK(choose_shell(Settings{}, Surroundings{}).has_value());
}

}  // namespace
