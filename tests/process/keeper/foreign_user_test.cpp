// Processes of other users: below the keeper, and at its socket. Only root can arrange them.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/seqpacket.hpp"
#include "process/keeper/scratch_job.hpp"
#include "support/temporary_directory.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kUser = 65534;   // runs the keeper
constexpr uid_t kOther = 65533;  // what a process of its job becomes

bool is_root() {
    if (::geteuid() == 0) return true;
    MESSAGE("skipped, only root can be several users");
    return false;
}

std::string as_user(uid_t user) {
    const auto number = std::to_string(user);
    return "setpriv --reuid=" + number + " --regid=" + number + " --clear-groups ";
}

// Of this thread alone, as its connections are judged by.
void become(uid_t user) {
    REQUIRE(::syscall(SYS_setresuid, -1, user, -1) == 0);
}

}  // namespace

TEST_CASE("a peer of another user is refused at the control socket") {
    if (!is_root()) return;
    ScratchJob job{"exec sleep 300"};
    job.start();
    ::chmod(job.path().c_str(), 0777);
    ::chmod((job.path() + "/sock").c_str(), 0777);
    const bgshell::platform::UniqueFd directory{
        ::open(job.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    become(kUser);
    auto socket = bgshell::platform::seqpacket_connect(directory.get(), "sock");
    become(0);
    REQUIRE(socket.has_value());
    Connection connection{std::move(*socket)};
    connection.await_close();
    CHECK_FALSE(connection.poll<Hello>().has_value());
    job.connect();
}

// Run by the next one, as an ordinary user. SETPRIV is a copy that belongs to root and keeps that.
TEST_CASE("as an ordinary user, with a process of another one in the job" * doctest::skip()) {
    ScratchJob job{std::string{getenv("SETPRIV")} + as_user(kOther).substr(7) +
                   "sleep 300 & echo $! > " + getenv("PID_FILE") + "; wait"};
    job.start();
    await([&] { return fs::exists(getenv("PID_FILE")); }, "the process runs");
    const auto other_lives = [&] {
        struct stat facts {};
        std::ifstream file{getenv("PID_FILE")};
        std::string pid;
        return file >> pid && ::stat(("/proc/" + pid).c_str(), &facts) == 0 &&
               facts.st_uid == kOther;
    };
    await(other_lives, "the process is another user's");
    const auto stopped = job.cancel(SIGTERM, 100ms);
    CHECK(stopped.gone == 1);  // the shell, which is in the same process group
    REQUIRE(stopped.survivors.size() == 1);
    CHECK(stopped.survivors[0].command == "sleep 300");
    CHECK(stopped.survivors[0].user == std::to_string(kOther));
    CHECK(stopped.survivors[0].survival == Survival::refused);
    CHECK(job.await_end().state == JobState::cancelled);
    CHECK(job.locked());
    // A host that stops waits for nobody.
    ::kill(job.keeper_pid(), SIGTERM);
    const auto after = job.await_after();
    REQUIRE(after.leftovers.size() == 1);
    CHECK(after.leftovers[0].fate == LeftoverFate::survived);
}

TEST_CASE("a process that became another user's is a survivor, named with the reason") {
    if (!is_root()) return;
    const bgshell::test::TemporaryDirectory directory;
    const auto file = [&](const char* name) { return directory.file(name); };
    fs::permissions(fs::path{file("x")}.parent_path(), fs::perms::all);
    // Whether it all works here: no setpriv, "nosuid" and a closed build folder stand in the way.
    const std::string prepare = "cp \"$(command -v setpriv)\" " + file("setpriv") +
                                " && chmod 4755 " + file("setpriv") + " && cp /proc/" +
                                std::to_string(::getpid()) + "/exe " + file("tests") +
                                " && chmod 755 " + file("tests") + " && " + as_user(kUser) +
                                file("setpriv") + as_user(kOther).substr(7) + "true";
    if (std::system(prepare.c_str()) != 0) {
        MESSAGE("skipped, a process cannot become another user's here");
        return;
    }
    const std::string command = as_user(kUser) + "env SETPRIV=" + file("setpriv") +
                                " PID_FILE=" + file("pid") + " " + file("tests") +
                                " --no-skip --test-case='as an ordinary user*'";
    CHECK(std::system(command.c_str()) == 0);
    // It ran: a case that no name matches would be a success as well.
    pid_t survivor = 0;
    REQUIRE(static_cast<bool>(std::ifstream{file("pid")} >> survivor));
    ::kill(survivor, SIGKILL);
    CHECK(survivor > 1);
}
