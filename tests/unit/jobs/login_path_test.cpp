#include "jobs/login_path.hpp"

#include <doctest/doctest.h>

#include "jobs/environment.hpp"

namespace {

using namespace bgshell::jobs;

constexpr std::string_view kToken = "k3f9x0abm7q2a7c3";

TEST_CASE("without a $SHELL there is nobody to ask") {
    Surroundings surroundings;
    surroundings.environment = {"PATH=/usr/bin"};
    CHECK_FALSE(login_path_question(surroundings));
    surroundings.environment = {"SHELL="};
    CHECK_FALSE(login_path_question(surroundings));
}

TEST_CASE("the login shell gets what a login gives it, and nothing of ours") {
    Surroundings surroundings;
    surroundings.home = "/home/me";
    surroundings.environment = {"SHELL=/bin/zsh", "HOME=/home/me",      "PATH=/stub",
                                "USER=me",        "GUARD_OF_PROFILE=1", "BGSHELL_TOKEN=x",
                                "TERM=xterm",     "LANG=de_DE.UTF-8"};
    const auto question = login_path_question(surroundings);
    REQUIRE(question);
    CHECK(question->shell == "/bin/zsh");
    CHECK(question->home == "/home/me");
    CHECK(question->limit == bgshell::platform::Milliseconds{3000});
    const auto& environment = question->environment;
    CHECK(find_variable(environment, "HOME") == "/home/me");
    CHECK(find_variable(environment, "USER") == "me");
    CHECK(find_variable(environment, "LANG") == "de_DE.UTF-8");
    CHECK(find_variable(environment, "TERM") == "dumb");
    CHECK(find_variable(environment, "PATH") ==
          "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    CHECK_FALSE(find_variable(environment, "GUARD_OF_PROFILE"));
    CHECK_FALSE(find_variable(environment, "BGSHELL_TOKEN"));
}

TEST_CASE("the PATH is found between the marks, whatever stands around it") {
    const std::string token{kToken};
    const std::string answer = token + ":/home/me/bin:/usr/bin:" + token;
    CHECK(find_login_path(answer, kToken) == "/home/me/bin:/usr/bin");
    CHECK(find_login_path("Welcome!\n" + answer + "\nBye", kToken) == "/home/me/bin:/usr/bin");
    CHECK(find_login_path(token + ":/a:/b::" + token, kToken) == "/a:/b:");
    CHECK_FALSE(find_login_path("", kToken));
    for (std::size_t length = 0; length < answer.size(); ++length) {
        CAPTURE(length);
        CHECK_FALSE(find_login_path(std::string_view{answer}.substr(0, length), kToken));
    }
}

TEST_CASE("a start-up file that prints the command is not taken for the answer") {
    CHECK(login_path_command(kToken).find(kToken) == std::string::npos);
    CHECK_FALSE(find_login_path(login_path_command(kToken), kToken));
}

TEST_CASE("what is no list of directories is an empty answer") {
    const std::string token{kToken};
    CHECK(find_login_path(token + "::" + token, kToken) == "");
    CHECK(find_login_path(token + ":nonsense:" + token, kToken) == "");
    CHECK(find_login_path(token + ":/a\n/b:" + token, kToken) == "");
    CHECK(find_login_path(token + ":/" + std::string(70'000, 'x') + ":" + token, kToken) == "");
}

}  // namespace
