#include "platform/spawn.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "platform/pidfd.hpp"
#include "platform/proc_file.hpp"
#include "platform/process_tree.hpp"

using namespace bgshell::platform;

namespace {

struct Ran {
    ExitStatus status;
    std::string output;
};

// Runs a shell command with its output in a file that has no name.
Ran run(const std::string& command, SpawnOrder order = {}) {
    const UniqueFd output{::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
    const UniqueFd nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    order.program = "/bin/sh";
    order.arguments = {"sh", "-c", command};
    if (order.standard_input < 0) order.standard_input = nothing.get();
    order.standard_output = order.standard_error = output.get();
    auto child = spawn(std::move(order));
    REQUIRE(child.has_value());
    const auto status = reap(child->pidfd.get(), Wait::until_exit);
    REQUIRE(status.has_value());
    REQUIRE(status->has_value());
    return {.status = **status, .output = read_proc_file(output.get()).value()};
}

}  // namespace

TEST_CASE("an exit code and a signal are two things") {
    CHECK(run("exit 9").status == ExitStatus{Exited{9}});
    CHECK(run("kill -9 $$").status == ExitStatus{Signalled{9}});
}

TEST_CASE("a failed exec is an error, and leaves no process") {
    const UniqueFd nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    for (const auto& [program, error] :
         {std::pair{"/nonexistent", ENOENT}, {"/etc/passwd", EACCES}}) {
        SpawnOrder order;
        order.program = program;
        order.arguments = {program};
        order.standard_input = order.standard_output = order.standard_error = nothing.get();
        const auto child = spawn(std::move(order));
        REQUIRE(child.has_error());
        CHECK(child.error() == errno_code(error));
        CHECK(peek_any_child().error() == errno_code(ECHILD));
    }
}

TEST_CASE("descriptors arrive where they belong, even when they stand in each other's way") {
    // The lowest free numbers are those that the child's own descriptors take.
    std::array<UniqueFd, 2> low;
    for (auto& fd : low) {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        const UniqueFd write{ends[1]};
        fd.reset(ends[0]);
        REQUIRE(::write(write.get(), &fd == &low[0] ? "a" : "b", 1) == 1);
    }
    SpawnOrder order;
    order.standard_input = low[0].get();
    order.descriptor_3 = low[1].get();
    CHECK(run("cat; cat <&3; ls /proc/self/fd | wc -l", std::move(order)).output == "ab5\n");
}

TEST_CASE("a child works where it is told to, through a mere path") {
    const UniqueFd directory{::open("/usr", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    SpawnOrder order;
    order.working_directory = directory.get();
    CHECK(run("pwd", std::move(order)).output == "/usr\n");
}

TEST_CASE("pids that would mean many processes are refused") {
    for (const pid_t pid : {-1, 0, 1}) {
        CHECK(open_pidfd(pid).error() == errno_code(EINVAL));
        CHECK(send_signal_to_group(pid, SIGCONT) == errno_code(EINVAL));
    }
}

TEST_CASE("a look at a child's end leaves it there") {
    const UniqueFd nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    SpawnOrder order;
    order.program = "/bin/sleep";
    order.arguments = {"sleep", "300"};
    order.standard_input = order.standard_output = order.standard_error = nothing.get();
    auto child = spawn(std::move(order));
    REQUIRE(child.has_value());
    CHECK_FALSE(peek_exit(child->pidfd.get()).value().has_value());
    CHECK(peek_any_child().value() == 0);
    std::vector<pid_t> below;
    walk_below(::getpid(), [&](const ProcessFacts& process) {
        below.push_back(process.pid);
        return true;
    });
    CHECK(below == std::vector<pid_t>{child->pid});

    CHECK_FALSE(send_signal(child->pidfd.get(), SIGKILL));
    while (peek_any_child().value() == 0) ::usleep(1000);
    CHECK(peek_exit(child->pidfd.get()).value() == ExitStatus{Signalled{SIGKILL}});
    CHECK(reap(child->pidfd.get(), Wait::not_at_all).value() == ExitStatus{Signalled{SIGKILL}});
    CHECK(peek_any_child().error() == errno_code(ECHILD));
}
