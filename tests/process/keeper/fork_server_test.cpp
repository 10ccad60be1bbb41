#include "keeper/fork_server.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>

#include "platform/pidfd.hpp"
#include "platform/process_tree.hpp"
#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
namespace platform = bgshell::platform;

namespace {

bool lives(pid_t pid) {
    const auto facts = platform::process_facts(pid);
    return facts && facts->alive();
}

// A fork server whose maker has left, and two of its keepers.
struct Forks {
    Forks() {
        auto started = ForkServer::start();
        REQUIRE(started.has_value());
        REQUIRE(platform::reap(started->parent.get(), platform::Wait::until_exit).has_value());
        server = std::move(started->server);
        first.emplace(std::move(started->birth));
        auto birth = server->fork_keeper();
        REQUIRE(birth.has_value());
        second.emplace(std::move(*birth));
        first_pid = first->take<Hello>().pid;
        second_pid = second->take<Hello>().pid;
        const auto facts = platform::process_facts(second_pid);
        REQUIRE(facts.has_value());
        pid = facts->parent;
        REQUIRE(pid > 1);
    }
    void await_end_of(pid_t process) const {
        await([&] { return !lives(process); }, "a process leaves");
    }

    std::optional<ForkServer> server;
    pid_t pid = 0;
    std::optional<Connection> first;
    std::optional<Connection> second;
    pid_t first_pid = 0;
    pid_t second_pid = 0;
};

}  // namespace

TEST_CASE("the fork server leaves with its front end, its keepers when they are let go") {
    Forks forks;
    CHECK(forks.first_pid != forks.second_pid);
    forks.server.reset();
    forks.await_end_of(forks.pid);
    CHECK(lives(forks.first_pid));
    CHECK(lives(forks.second_pid));
    forks.first->close();
    forks.await_end_of(forks.first_pid);
    CHECK(lives(forks.second_pid));
    forks.second->close();
    forks.await_end_of(forks.second_pid);
}

TEST_CASE("a fork server that was killed is known to be dead, and takes no keeper with it") {
    Forks forks;
    REQUIRE(::kill(forks.pid, SIGKILL) == 0);
    forks.await_end_of(forks.pid);
    const auto birth = forks.server->fork_keeper();
    REQUIRE_FALSE(birth.has_value());
    CHECK(birth.error().value() == EPIPE);
    CHECK(lives(forks.first_pid));
    CHECK(lives(forks.second_pid));
    forks.first->close();
    forks.second->close();
    forks.await_end_of(forks.first_pid);
    forks.await_end_of(forks.second_pid);
}

TEST_CASE("a keeper that has left is no zombie") {
    Forks forks;
    forks.second->close();
    await([&] { return ::kill(forks.second_pid, 0) != 0; }, "its process is reaped");
    forks.first->close();
    forks.await_end_of(forks.first_pid);
}
