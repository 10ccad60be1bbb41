#include "platform/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#include <cstring>

#include "platform/pidfd.hpp"

namespace bgshell::platform {
namespace {

// The first descriptor that no standard place takes.
constexpr int kFirstFree = 4;

// As posix_spawn wants them: it changes nothing, but takes char*.
std::vector<char*> c_strings(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

// posix_spawn's two attribute objects, and the first error that filling them gave.
class Plan {
  public:
    Plan() {
        note(::posix_spawn_file_actions_init(&actions_));
        note(::posix_spawnattr_init(&attributes_));
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    ~Plan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    void clean_session() {
        sigset_t all;
        sigset_t none;
        // Not sigfillset: it leaves out two signals of glibc's own, which posix_spawn would then
        // make ignored in the child.
        std::memset(&all, 0xFF, sizeof all);
        ::sigemptyset(&none);
        note(::posix_spawnattr_setsigdefault(&attributes_, &all));
        note(::posix_spawnattr_setsigmask(&attributes_, &none));
        note(::posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
    }
    void change_directory(int directory) {
        note(::posix_spawn_file_actions_addfchdir_np(&actions_, directory));
    }
    // Places a copy of `fd` at `target`, by way of a number that no later step overwrites.
    void place(int fd, int target) {
        if (fd < kFirstFree) {
            copies_.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, kFirstFree));
            fd = copies_.back().get();
            if (fd < 0) return note(errno);
        }
        note(::posix_spawn_file_actions_adddup2(&actions_, fd, target));
    }
    void close_from(int first) {
        note(::posix_spawn_file_actions_addclosefrom_np(&actions_, first));
    }
    [[nodiscard]] int run(SpawnOrder& order, pid_t& pid) {
        if (error_ != 0) return error_;
        auto arguments = c_strings(order.arguments);
        auto environment = c_strings(order.environment);
        return ::posix_spawn(&pid, order.program.c_str(), &actions_, &attributes_, arguments.data(),
                             environment.data());
    }

  private:
    void note(int error) {
        if (error_ == 0) error_ = error;
    }
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
    std::vector<UniqueFd> copies_;
    int error_ = 0;
};

}  // namespace

Outcome<SpawnedProcess> spawn(SpawnOrder order) {
    Plan plan;
    plan.clean_session();
    if (order.working_directory) plan.change_directory(*order.working_directory);
    plan.place(order.standard_input, 0);
    plan.place(order.standard_output, 1);
    plan.place(order.standard_error, 2);
    if (order.descriptor_3) plan.place(*order.descriptor_3, 3);
    plan.close_from(order.descriptor_3 ? 4 : 3);

    SpawnedProcess child;
    if (const int error = plan.run(order, child.pid); error != 0) return errno_code(error);
    auto pidfd = open_pidfd(child.pid);
    if (!pidfd) {
        // Out of descriptors. Nobody could watch this child, so it must not live.
        const error_code error = pidfd.error();
        ::kill(child.pid, SIGKILL);
        (void)reap_pid(child.pid, Wait::until_exit);
        return error;
    }
    child.pidfd = std::move(*pidfd);
    return child;
}

}  // namespace bgshell::platform
