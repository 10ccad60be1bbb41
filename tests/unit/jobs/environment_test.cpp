#include "jobs/environment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace {

using namespace bgshell::jobs;
using Entries = std::vector<std::string>;

const bgshell::keeper::JobId kId = *bgshell::keeper::JobId::parse("k3f9x0ab");

// The environment of a job whose front end inherited `inherited`.
struct EnvironmentFixture {
    Surroundings surroundings;
    Settings settings;
    std::optional<std::string> login_path;
    Entries call;

    Entries environment() const {
        return job_environment(surroundings, settings, login_path, call, kId);
    }
    std::optional<std::string> value(const char* name) const {
        return find_variable(environment(), name);
    }
};

TEST_CASE("variables are found by their whole name, the first one counts") {
    const Entries entries{"A=1", "AB=2", "A=3", "EMPTY=", "odd", "=x", "EQ=a=b"};
    CHECK(find_variable(entries, "A") == "1");
    CHECK(find_variable(entries, "AB") == "2");
    CHECK(find_variable(entries, "EMPTY") == "");
    CHECK(find_variable(entries, "EQ") == "a=b");
    CHECK_FALSE(find_variable(entries, "odd"));
    CHECK_FALSE(find_variable(entries, ""));
    CHECK_FALSE(find_variable(entries, "B"));
}

TEST_CASE_FIXTURE(EnvironmentFixture, "what was inherited arrives, each name once") {
    surroundings.environment = {"HOME=/home/me",  "X=1",  "X=2",
                                "no equals sign", "=odd", "BASH_FUNC_f%%=() { echo; }",
                                "ODD=\xFF"};
    const Entries entries = environment();
    CHECK(value("HOME") == "/home/me");
    CHECK(value("X") == "1");
    CHECK(value("ODD") == "\xFF");
    CHECK(value("BASH_FUNC_f%%") == "() { echo; }");
    std::set<std::string> names;
    for (const std::string& entry : entries) {
        const std::size_t equals = entry.find('=');
        REQUIRE(equals != std::string::npos);
        CHECK(names.insert(entry.substr(0, equals)).second);
    }
}

TEST_CASE_FIXTURE(EnvironmentFixture, "a job has no terminal, no pager, no prompt and no colour") {
    surroundings.environment = {
        "TERM=xterm-256color", "PAGER=less",       "GIT_PAGER=delta",  "NO_COLOR=",
        "FORCE_COLOR=1",       "CLICOLOR_FORCE=1", "GIT_ASKPASS=/x",   "EDITOR=vim",
        "VISUAL=code --wait",  "GIT_EDITOR=vim",   "LANG=de_DE.UTF-8", "BGSHELL_JOB_ID=outer000"};
    CHECK(value("TERM") == "dumb");
    CHECK(value("NO_COLOR") == "1");
    CHECK(value("PAGER") == "cat");
    CHECK(value("GIT_PAGER") == "cat");
    CHECK(value("PYTHONUNBUFFERED") == "1");
    CHECK(value("GIT_TERMINAL_PROMPT") == "0");
    CHECK(value("SSH_ASKPASS_REQUIRE") == "never");
    CHECK(value("BGSHELL_JOB_ID") == "k3f9x0ab");
    CHECK(value("LANG") == "de_DE.UTF-8");
    CHECK_FALSE(value("FORCE_COLOR"));
    CHECK_FALSE(value("CLICOLOR_FORCE"));
    CHECK_FALSE(value("GIT_ASKPASS"));
    for (const char* name : {"EDITOR", "VISUAL", "GIT_EDITOR"}) {
        CAPTURE(name);
        REQUIRE(value(name));
        CHECK(value(name)->find("no editor can open") != std::string::npos);
        CHECK(value(name)->find("exit 1") != std::string::npos);
    }
}

TEST_CASE_FIXTURE(EnvironmentFixture, "LANG is set only where none is") {
    CHECK(value("LANG") == "C.UTF-8");
    surroundings.environment = {"LANG="};
    CHECK(value("LANG") == "C.UTF-8");
    surroundings.environment = {"LANG=C"};
    CHECK(value("LANG") == "C");
}

TEST_CASE_FIXTURE(EnvironmentFixture,
                  "the configuration beats what is replaced, the call beats both") {
    surroundings.environment = {"A=inherited", "B=inherited", "C=inherited", "D=inherited"};
    settings.env_set = {"A=configured", "B=configured", "TERM=configured", "FORCE_COLOR=3"};
    settings.env_unset = {"C", "NO_COLOR", "B2", "EDITOR"};
    call = {"B=called", "PAGER=called", "C=called"};
    CHECK(value("A") == "configured");
    CHECK(value("B") == "called");
    CHECK(value("C") == "called");
    CHECK(value("D") == "inherited");
    CHECK(value("TERM") == "configured");
    CHECK(value("FORCE_COLOR") == "3");
    CHECK(value("PAGER") == "called");
    CHECK_FALSE(value("NO_COLOR"));
    CHECK_FALSE(value("EDITOR"));
}

TEST_CASE_FIXTURE(EnvironmentFixture, "our own secrets never reach a job") {
    surroundings.environment = {"BGSHELL_HTTP_TOKENS=s3cret", "BGSHELL_TOKEN=s3cret",
                                "BGSHELL_A_SECRET_B=s3cret", "BGSHELL_STATE=/state",
                                "GITHUB_TOKEN=theirs"};
    for (const std::string& entry : environment()) {
        CAPTURE(entry);
        CHECK(entry.find("s3cret") == std::string::npos);
    }
    CHECK(value("BGSHELL_STATE") == "/state");
    CHECK(value("GITHUB_TOKEN") == "theirs");
}

TEST_CASE_FIXTURE(EnvironmentFixture,
                  "PATH is completed by the login PATH, and left alone without one") {
    surroundings.environment = {"PATH=/usr/bin:/bin"};
    CHECK(value("PATH") == "/usr/bin:/bin");
    login_path = "/home/me/bin:/usr/bin";
    CHECK(value("PATH") == "/home/me/bin:/usr/bin");
    surroundings.environment = {"PATH=/opt/x:/usr/bin"};
    CHECK(value("PATH") == "/opt/x:/usr/bin:/home/me/bin");
    surroundings.environment = {};
    CHECK(value("PATH") == "/home/me/bin:/usr/bin");
    login_path.reset();
    CHECK_FALSE(value("PATH"));
    settings.env_set = {"PATH=/only"};
    login_path = "/home/me/bin";
    CHECK(value("PATH") == "/only");
}

TEST_CASE("a stub of system directories is replaced, any other PATH keeps its order") {
    const std::string login = "/home/me/.cargo/bin:/usr/local/bin:/usr/bin:/bin";
    CHECK(merge_path("", login) == login);
    CHECK(merge_path("/usr/bin:/bin", login) == login);
    CHECK(merge_path("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin/", login) ==
          login);
    CHECK(merge_path("/venv/bin:/usr/bin", login) ==
          "/venv/bin:/usr/bin:/home/me/.cargo/bin:/usr/local/bin:/bin");
    // A directory that is there under another spelling is not missing; one is added once.
    CHECK(merge_path("/venv/bin:/usr/bin/", "/usr/bin:/x:/x/:/x") == "/venv/bin:/usr/bin/:/x");
    // The user's own odd entries stay; a login's relative ones are not spread.
    CHECK(merge_path("/venv/bin::.", "relative::.:/y") == "/venv/bin::.:/y");
}

TEST_CASE("an env entry that is no NAME=value is refused without its value") {
    CHECK(check_env({}).has_value());
    CHECK(check_env({"A=", "B=x=y", "C=\n"}).has_value());
    const auto bare = check_env({"A=1", "JUST_A_NAME"});
    REQUIRE(bare.has_error());
    CHECK(bare.error().kind() == ErrorKind::bad_argument);
    CHECK(bare.error().text() == "env entries are \"NAME=value\", got \"JUST_A_NAME\".");
    CHECK(check_env({"=x"}).has_error());
    CHECK(check_env({""}).has_error());
    const auto nul = check_env({std::string{"PASS=hidden\0", 12}});
    REQUIRE(nul.has_error());
    CHECK(nul.error().text().find("PASS") != std::string::npos);
    CHECK(nul.error().text().find("hidden") == std::string::npos);
}

}  // namespace
