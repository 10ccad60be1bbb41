#include "keeper/keeper_main.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <string>

#include "keeper/keeper.hpp"
#include "platform/proc_file.hpp"

namespace bgshell::keeper {
namespace {

using platform::UniqueFd;

// Short of memory, the kernel shall take a job and its keeper before the front end and its client.
void raise_oom_score() {
    constexpr int step = 200;
    constexpr int highest = 1000;
    const UniqueFd file{::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)};
    if (!file) return;
    const auto text = platform::read_proc_file(file.get());
    int score = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), score).ptr == text->data()) {
        return;
    }
    const std::string raised = std::to_string(std::min(score + step, highest));
    // Refused in some containers: then all are equal.
    [[maybe_unused]] const auto written = ::pwrite(file.get(), raised.data(), raised.size(), 0);
}

UniqueFd take_signals() {
    for (const int ignored : {SIGPIPE, SIGXFSZ, SIGXCPU}) std::signal(ignored, SIG_IGN);
    sigset_t mask;
    ::sigemptyset(&mask);
    for (const int awaited : {SIGCHLD, SIGTERM, SIGHUP}) ::sigaddset(&mask, awaited);
    ::sigprocmask(SIG_BLOCK, &mask, nullptr);
    return UniqueFd{::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK)};
}

}  // namespace

int keeper_main() {
    if (const pid_t child = ::fork(); child != 0) ::_exit(child < 0 ? 1 : 0);
    // One arena for both threads, or each pays for its own.
    ::mallopt(M_ARENA_MAX, 1);
    UniqueFd birth{kBirthDescriptor};
    ::fcntl(birth.get(), F_SETFD, FD_CLOEXEC);
    ::setsid();
    if (::chdir("/") != 0) ::_exit(1);  // no file system is kept busy
    UniqueFd signals = take_signals();
    // Without it, what leaves the shell's tree would leave our sight.
    if (!signals || ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) ::_exit(1);
    raise_oom_score();
    // Last, because it closes /proc/self to us. The environment of a job is in our memory for a
    // moment.
    ::prctl(PR_SET_DUMPABLE, 0);

    Keeper{std::move(birth), std::move(signals)}.run();
    // No destructors of static objects, no flushing: nothing here belongs to another program.
    ::_exit(0);
}

}  // namespace bgshell::keeper
