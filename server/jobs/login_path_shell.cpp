#include "jobs/login_path_shell.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

// Boost.Process v2 does not link header-only in 1.81 (its close_all is never included), and its
// src.hpp needs the library Boost.Filesystem for parts that are not used here: these two sources
// are enough. They forget to include what declares Asio's throw_error.
#define BOOST_PROCESS_V2_SEPARATE_COMPILATION
#include <boost/asio/detail/throw_error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/process/v2/impl/default_launcher.ipp>
#include <boost/process/v2/impl/error.ipp>
#include <boost/process/v2/process.hpp>

#include "platform/outcome.hpp"
#include "platform/pidfd.hpp"

namespace bgshell::jobs {
namespace {

namespace process = boost::process::v2;
using boost::system::error_code;
using platform::last_error;
using platform::Outcome;
using platform::UniqueFd;

// What Boost.Process 1.81 leaves open or gets wrong between fork and exec is done here. Only
// async-signal-safe calls: another thread may have held any lock at the moment of the fork.
struct ChildSetup {
    int input;
    int output;
    int directory;  // -1: /
    pid_t parent;

    template <class Launcher, class... Rest>
    error_code on_exec_setup(Launcher&, Rest&&...) const noexcept {
        // Nobody limits its time when we have been killed. The signal comes at the end of the
        // thread that forked, which is the loop's: that ends with the process.
        if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return last_error();
        if (::getppid() != parent) return platform::errno_code(ESRCH);
        if (::setsid() < 0) return last_error();
        for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        if (::dup2(input, STDIN_FILENO) < 0) return last_error();
        if (::dup2(output, STDOUT_FILENO) < 0) return last_error();
        if (::dup2(input, STDERR_FILENO) < 0) return last_error();
        if (directory < 0 || ::fchdir(directory) != 0) {
            if (::chdir("/") != 0) return last_error();
        }
        // Boost closes only what lies above its own pipe. Its pipe must live until the exec.
        if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return last_error();
        return {};
    }
    // After a failed exec Boost calls exit(), which would run our atexit handlers and destructors
    // and write our buffers a second time. The two forms are needed because it asks for the one and
    // then calls the other.
    template <class... Any>
    [[noreturn]] void on_exec_error(Any&&...) const noexcept {
        ::_exit(127);
    }
};

std::vector<const char*> c_strings(const std::vector<std::string>& words) {
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    pointers.push_back(nullptr);
    return pointers;
}

// Launches and gives the pid up to the caller. `launcher.pid` says whether there was a fork.
error_code launch(process::posix::default_launcher& launcher, const std::string& program,
                  const std::vector<std::string>& arguments, const ChildSetup& setup) {
    // Boost tells its context of the fork, in the child too, where the locks of a context that
    // other threads use may never open again. This one is ours alone.
    boost::asio::io_context context{1};
    error_code error;
    try {
        auto child = launcher(context.get_executor(), error, program, arguments, setup);
        // With its handle its destructor would kill the shell and wait for it.
        const auto handle = std::move(child.handle());
    } catch (const boost::system::system_error& thrown) {
        // Boost got no pidfd, which it does not check: the caller asks for one again, and is told
        // why.
        if (launcher.pid <= 0) error = thrown.code();
    }
    return error;
}

}  // namespace

Outcome<LoginShell> start_login_shell(const std::string& program,
                                      const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& environment,
                                      const std::string& directory) {
    const UniqueFd null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    if (!null) return last_error();
    const UniqueFd start{::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return last_error();
    LoginShell shell;
    shell.output.reset(ends[0]);
    const UniqueFd writing{ends[1]};

    const auto variables = c_strings(environment);
    process::posix::default_launcher launcher;
    launcher.env = variables.data();
    const ChildSetup setup{null.get(), writing.get(), start.get(), ::getpid()};
    error_code error = launch(launcher, program, arguments, setup);
    shell.pid = launcher.pid;
    if (!error) {
        auto pidfd = platform::open_pidfd(shell.pid);
        if (pidfd) {
            shell.pidfd = std::move(*pidfd);
            return shell;
        }
        error = pidfd.error();
    }
    // It has ended, and somebody else has reaped it, before it had a pidfd: what stands for that is
    // readable at once, too.
    if (error.value() == ESRCH && ::pipe2(ends, O_CLOEXEC) == 0) {
        shell.pidfd.reset(ends[0]);
        const UniqueFd closed{ends[1]};
        return shell;
    }
    // Boost reaps no child whose exec failed.
    if (shell.pid > 0) {
        ::kill(shell.pid, SIGKILL);
        (void)platform::reap_pid(shell.pid, platform::Wait::until_exit);
    }
    return error;
}

}  // namespace bgshell::jobs
