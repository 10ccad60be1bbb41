// Real login shells with start-up files of every kind, in a home directory of their own. Each trap
// of Boost.Process 1.81 that the probe steps around has its test here.
#include "jobs/login_path.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "platform/durable_file.hpp"
#include "platform/process_tree.hpp"
#include "platform/unique_fd.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::jobs;
using namespace std::chrono_literals;
using bgshell::platform::UniqueFd;
using Clock = std::chrono::steady_clock;
namespace asio = boost::asio;
namespace fs = std::filesystem;

constexpr auto kPatience = 10s;

// A home directory, and a shell that reads its start-up file there.
struct Home {
    bgshell::test::TemporaryDirectory place;
    UniqueFd directory{::open(place.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    LoginPathQuestion question;

    Home() {
        Surroundings surroundings;
        surroundings.home = place.path();
        surroundings.environment = {"SHELL=/bin/bash", "HOME=" + surroundings.home,
                                    "BGSHELL_TOKEN=s3cret"};
        question = *login_path_question(surroundings);
        question.limit = 10s;  // a slow machine is not what is tested here
    }
    ~Home() {
        // Whatever was asked, no child is left, not even a zombie.
        const pid_t left = ::waitpid(-1, nullptr, WNOHANG);
        CHECK(left == -1);
    }

    void write(const char* name, const std::string& text, bool executable = false) const {
        REQUIRE_FALSE(bgshell::platform::write_durably(directory.get(), name, text));
        if (executable) fs::permissions(place.file(name), fs::perms::owner_all);
    }
    void profile(const std::string& text) const {
        write(".bash_profile", "H=" + place.path().string() + "\n" + text + "\n");
    }
    void shell(const char* name) { question.shell = place.file(name); }
    std::string read(const char* name) const {
        const auto text = bgshell::platform::read_whole(directory.get(), name, 1 << 20);
        return text ? *text : "";
    }

    LoginPath ask() const {
        asio::io_context loop{1};
        LoginPath answer;
        asio::co_spawn(loop, ask_login_path(question),
                       [&](const std::exception_ptr& failure, LoginPath given) {
                           REQUIRE_FALSE(failure);
                           answer = std::move(given);
                       });
        loop.run();
        return answer;
    }
    std::string path() const {
        const LoginPath answer = ask();
        CHECK(answer.failure.empty());
        REQUIRE(answer.path);
        return *answer.path;
    }
    std::string failure() const {
        const LoginPath answer = ask();
        CHECK_FALSE(answer.path);
        return answer.failure;
    }
    bool fails_with(const char* words) const {
        const std::string text = failure();
        CAPTURE(text);
        const bool names_shell = text.find('"' + question.shell + '"') != std::string::npos;
        CHECK(names_shell);
        return text.find(words) != std::string::npos;
    }
};

// Whether the process whose number the file holds has ended, waited for.
bool ends(const Home& home, const char* pid_file) {
    const std::string text = home.read(pid_file);
    REQUIRE_FALSE(text.empty());
    const pid_t pid = static_cast<pid_t>(std::strtol(text.c_str(), nullptr, 10));
    REQUIRE(pid > 1);
    const auto deadline = Clock::now() + kPatience;
    while (true) {
        const auto facts = bgshell::platform::process_facts(pid);
        if (!facts || !facts->alive()) return true;
        if (Clock::now() > deadline) return false;
        std::this_thread::sleep_for(5ms);
    }
}

bool starts_with_ours(const std::string& path) {
    return path.starts_with("/home/me/bin:");
}

constexpr const char* kAdd = "export PATH=/home/me/bin:$PATH";

TEST_CASE_FIXTURE(Home, "the PATH of the start-up file is found") {
    profile(kAdd);
    const std::string found = path();
    CHECK(starts_with_ours(found));
    CHECK(found.find(":/usr/bin:") != std::string::npos);
}

TEST_CASE_FIXTURE(Home, "a plain sh is asked as well") {
    question.shell = "/bin/sh";
    write(".profile", kAdd);
    CHECK(starts_with_ours(path()));
}

TEST_CASE_FIXTURE(Home, "garbage before and after does not matter, printed commands neither") {
    profile(std::string{kAdd} +
            "\necho 'Welcome! :k3f9x0ab: /not/a/path'\nhead -c 100000 /dev/urandom\n"
            "trap 'echo bye' EXIT\nBASH_XTRACEFD=1\nset -x -v");
    CHECK(starts_with_ours(path()));
}

TEST_CASE_FIXTURE(Home, "a start-up file that reads stdin gets its end") {
    profile("read -r one; read -r two; cat > $H/read\n" + std::string{kAdd});
    CHECK(starts_with_ours(path()));
    CHECK(fs::exists(place.file("read")));
    CHECK(read("read").empty());
}

TEST_CASE_FIXTURE(Home, "it runs in its own session in the home directory, without a terminal") {
    profile(
        "cut -d ' ' -f 6 /proc/$$/stat > $H/session; echo $$ > $H/pid; pwd > $H/pwd\n"
        "for fd in 0 1 2; do test -t $fd && echo $fd >> $H/terminal; done\n"
        "(: < /dev/tty) 2> /dev/null && echo tty >> $H/terminal\n" +
        std::string{kAdd});
    CHECK(starts_with_ours(path()));
    CHECK_FALSE(read("pid").empty());
    CHECK(read("session") == read("pid"));
    CHECK(read("pwd") == place.path().string() + "\n");
    CHECK_FALSE(fs::exists(place.file("terminal")));
}

TEST_CASE_FIXTURE(Home, "a home that cannot be entered is no obstacle") {
    question.home = place.file("none");
    profile("pwd > $H/pwd\n" + std::string{kAdd});
    CHECK(starts_with_ours(path()));
    CHECK(read("pwd") == "/\n");
}

TEST_CASE_FIXTURE(Home, "nothing of ours is inherited: descriptors, signals, secrets") {
    // Also the lowest free ones, below those that are opened for the start: Boost leaves them open.
    std::vector<UniqueFd> leaky;
    for (const int least : {3, 3, 3, 60, 200}) {
        leaky.emplace_back(::fcntl(directory.get(), F_DUPFD, least));
        REQUIRE(leaky.back());
    }
    const auto ignored = ::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    sigset_t before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &blocked, &before);
    // Globbed by the shell itself, so that no helper's descriptor is among them. 255 is bash's own.
    profile(
        "echo /proc/$$/fd/* > $H/fds; env > $H/env\n"
        "cat /proc/self/status > $H/status\n" +
        std::string{kAdd});
    const std::string found = path();
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::signal(SIGPIPE, ignored);
    CHECK(starts_with_ours(found));
    const std::string fds = read("fds");
    CAPTURE(fds);
    CHECK(fds.find("/fd/0 ") != std::string::npos);
    for (const UniqueFd& fd : leaky) {
        const bool open = (fds + " ").find("/fd/" + std::to_string(fd.get())) != std::string::npos;
        CHECK_FALSE(open);
    }
    const std::string status = read("status");
    CHECK(status.find("SigBlk:\t0000000000000000") != std::string::npos);
    CHECK(status.find("SigIgn:\t0000000000000000") != std::string::npos);
    CHECK(read("env").find("s3cret") == std::string::npos);
}

TEST_CASE_FIXTURE(Home, "a start-up file that hangs is ended with all it started") {
    profile(
        "trap '' TERM HUP INT\necho $$ > $H/shell\n"
        "(trap '' TERM HUP; sleep 1000) & echo $! > $H/child\n"
        "set -m; sleep 1000 & echo $! > $H/group; set +m\n"
        "sleep 1000");
    // A loaded machine may need more than the first limit to come so far.
    for (const auto limit : {500ms, 5000ms}) {
        question.limit = limit;
        const auto begin = Clock::now();
        CHECK(fails_with("did not answer within"));
        CHECK(Clock::now() - begin < limit + kPatience);
        if (!read("group").empty()) break;
    }
    CHECK(ends(*this, "shell"));
    CHECK(ends(*this, "child"));
    CHECK(ends(*this, "group"));
}

TEST_CASE_FIXTURE(Home, "a background child that holds the output delays nothing and is ended") {
    profile("sleep 1000 & echo $! > $H/child\n" + std::string{kAdd});
    const auto begin = Clock::now();
    CHECK(starts_with_ours(path()));
    CHECK(Clock::now() - begin < kPatience);
    CHECK(ends(*this, "child"));
}

TEST_CASE_FIXTURE(Home, "a background child does not hide that the shell has ended") {
    profile("sleep 1000 & echo $! > $H/child\nexit 3");
    CHECK(fails_with("ended without an answer (exit code 3)"));
    CHECK(ends(*this, "child"));
}

TEST_CASE_FIXTURE(Home, "an end by a signal is never an exit code") {
    profile("kill -KILL $$");
    CHECK(fails_with("ended without an answer (SIGKILL)"));
    profile("exit 9");
    CHECK(fails_with("ended without an answer (exit code 9)"));
}

TEST_CASE_FIXTURE(Home, "a start-up file that floods is ended") {
    profile("echo $$ > $H/shell; while :; do echo flood flood flood flood flood flood; done");
    CHECK(fails_with("prints more than 1 MiB"));
    CHECK(ends(*this, "shell"));
}

TEST_CASE_FIXTURE(Home, "a closed output is no answer") {
    profile("exec >&-");
    CHECK(fails_with("without an answer"));
}

TEST_CASE_FIXTURE(Home, "a PATH that lists nothing is no answer") {
    profile("export PATH=");
    CHECK(fails_with("no list of directories"));
}

TEST_CASE_FIXTURE(Home, "a file that cannot be executed is never started") {
    shell("gone");
    CHECK(fails_with("No such file or directory"));
    write("plain", "#!/bin/sh\n");
    shell("plain");
    CHECK(fails_with("Permission denied"));
    question.shell = place.path();
    CHECK(fails_with("Is a directory"));
    question.shell = "bash";
    CHECK(fails_with("is no absolute path"));
}

int exit_pipe[2] = {-1, -1};

TEST_CASE_FIXTURE(Home,
                  "an exec that fails is told by its errno and runs none of our exit handlers") {
    REQUIRE(::pipe2(exit_pipe, O_CLOEXEC | O_NONBLOCK) == 0);
    REQUIRE(std::atexit([] {
                // At our own end nobody reads it any more.
                if (::write(exit_pipe[1], "x", 1) < 0) return;
            }) == 0);
    write("broken", "no program at all\n", true);
    shell("broken");
    CHECK(fails_with("Exec format error"));
    write("dangling", "#!/no/such/interpreter\n", true);
    shell("dangling");
    CHECK(fails_with("No such file or directory"));
    char byte = 0;
    CHECK(::read(exit_pipe[0], &byte, 1) == -1);
}

TEST_CASE_FIXTURE(Home, "somebody else who reaps our children spoils nothing") {
    const auto before = ::signal(SIGCHLD, SIG_IGN);  // the kernel reaps
    profile(kAdd);
    const LoginPath answer = ask();
    profile("exit 3");
    const LoginPath none = ask();
    ::signal(SIGCHLD, before);
    REQUIRE(answer.path);
    CHECK(starts_with_ours(*answer.path));
    CHECK_FALSE(none.path);
    CHECK(none.failure.find("ended without an answer") != std::string::npos);
    CHECK(none.failure.find("exit code 0") == std::string::npos);
}

TEST_CASE_FIXTURE(Home, "another thread may use the loop while the shell is forked") {
    profile(kAdd);
    asio::io_context loop{1};
    std::atomic<bool> done{false};
    std::atomic<int> waiting{0};
    std::thread other{[&] {
        while (!done) {
            if (waiting > 100) continue;
            ++waiting;
            asio::post(loop, [&] { --waiting; });
        }
    }};
    int answers = 0;
    for (int round = 0; round < 20; ++round) {
        LoginPath answer;
        bool given = false;
        asio::co_spawn(loop, ask_login_path(question),
                       [&](const std::exception_ptr&, LoginPath found) {
                           answer = std::move(found);
                           given = true;
                       });
        while (!given) {
            loop.restart();
            loop.run_one_for(kPatience);
        }
        if (answer.path) ++answers;
    }
    done = true;
    other.join();
    CHECK(answers == 20);
}

TEST_CASE_FIXTURE(Home, "a cancelled question ends its shell") {
    profile("echo $$ > $H/shell.new; mv $H/shell.new $H/shell; sleep 1000");
    asio::io_context loop{1};
    asio::cancellation_signal cancel;
    bool ended = false;
    auto finished = [&](const std::exception_ptr& failure, const LoginPath&) {
        CHECK(failure);
        ended = true;
    };
    asio::co_spawn(loop, ask_login_path(question),
                   asio::bind_cancellation_slot(cancel.slot(), finished));
    const auto deadline = Clock::now() + kPatience;
    while (!fs::exists(place.file("shell")) && Clock::now() < deadline) {
        loop.run_one_for(5ms);
    }
    REQUIRE(fs::exists(place.file("shell")));
    cancel.emit(asio::cancellation_type::terminal);
    loop.restart();
    loop.run_for(kPatience);
    CHECK(ended);
    CHECK(ends(*this, "shell"));
    // Nobody waited for it: it is ours to reap.
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
}

}  // namespace
