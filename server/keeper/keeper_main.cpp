#include "keeper/keeper_main.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>
#include <utility>
#include <variant>

#include "keeper/fork_server.hpp"
#include "keeper/keeper.hpp"
#include "platform/proc_file.hpp"
#include "platform/seqpacket.hpp"

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
    std::signal(SIGCHLD, SIG_DFL);
    for (const int ignored : {SIGPIPE, SIGXFSZ, SIGXCPU}) std::signal(ignored, SIG_IGN);
    sigset_t mask;
    ::sigemptyset(&mask);
    for (const int awaited : {SIGCHLD, SIGTERM, SIGHUP}) ::sigaddset(&mask, awaited);
    ::sigprocmask(SIG_BLOCK, &mask, nullptr);
    return UniqueFd{::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK)};
}

// Instead of a greeting.
void refuse(const UniqueFd& birth, int error, const char* what) {
    const StartFailed failed{.error = error, .what = what};
    (void)platform::send_packet(birth.get(), encode(FromKeeper{failed}));
}

// With these arguments setsid, sigprocmask and PR_SET_DUMPABLE cannot fail.
[[noreturn]] void be_keeper(UniqueFd birth) {
    ::setsid();
    UniqueFd signals = take_signals();
    // Without it, what leaves the shell's tree would leave our sight.
    if (!signals || ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) ::_exit(1);
    raise_oom_score();
    // Last, because it closes /proc/self to us. The environment of a job is in our memory for a
    // moment.
    ::prctl(PR_SET_DUMPABLE, 0);

    auto capture = Capture::prepare();
    if (!capture) {
        refuse(birth, capture.error().value(), "start the capture");
        ::_exit(1);
    }
    Keeper{std::move(birth), std::move(signals), std::move(*capture)}.run();
    // No destructors of static objects, no flushing: nothing here belongs to another program.
    ::_exit(0);
}

// The birth socket of the next keeper that is asked for; none: nobody will ask any more.
UniqueFd await_request(int requests) {
    for (;;) {
        pollfd item{.fd = requests, .events = POLLIN, .revents = 0};
        (void)::poll(&item, 1, -1);  // an error could only be an interruption
        auto received = platform::receive_packet(requests, kForkRequest.size());
        if (!received) return {};
        if (std::holds_alternative<platform::EndOfStream>(*received)) return {};
        auto* packet = std::get_if<platform::Packet>(&*received);
        if (packet != nullptr && packet->descriptors.size() == 1) {
            return std::move(packet->descriptors.front());
        }
    }
}

// Nothing of ours, but the memory, is the keeper's.
void fork_keeper(UniqueFd& requests, UniqueFd birth) {
    const pid_t child = ::fork();
    if (child == 0) {
        requests.reset();
        be_keeper(std::move(birth));
    }
    if (child < 0) refuse(birth, errno, "fork a keeper");
}

}  // namespace

void keeper_main() {
    // One arena for both threads of a keeper, or each pays for its own.
    ::mallopt(M_ARENA_MAX, 1);
    ::prctl(PR_SET_NAME, kKeeperName.data());  // else it and all keepers were called "exe"
    UniqueFd requests{kRequestsDescriptor};
    ::fcntl(requests.get(), F_SETFD, FD_CLOEXEC);
    if (::chdir("/") != 0) ::_exit(1);  // no file system is kept busy
    auto birth = await_request(requests.get());
    if (!birth) ::_exit(0);
    fork_keeper(requests, std::move(birth));  // a job waits for the first

    if (const pid_t child = ::fork(); child != 0) ::_exit(child < 0 ? 1 : 0);
    ::setsid();
    std::signal(SIGCHLD, SIG_IGN);  // the kernel reaps our keepers
    while (auto next = await_request(requests.get())) fork_keeper(requests, std::move(next));
    ::_exit(0);
}

}  // namespace bgshell::keeper
