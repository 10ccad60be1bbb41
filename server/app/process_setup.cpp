#include "app/process_setup.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace bgshell::app {

void prepare_process() {
    constexpr int kKeepBytes = 64 << 20;
    ::mallopt(M_TRIM_THRESHOLD, kKeepBytes);
    ::mallopt(M_MMAP_THRESHOLD, kKeepBytes);
    ::mallopt(M_TOP_PAD, 1 << 20);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        // The lowest free number is taken, which is `fd`. It stays open for good.
        if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) != fd) std::_Exit(1);
    }
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

jobs::Surroundings read_surroundings() {
    jobs::Surroundings surroundings;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        surroundings.environment.emplace_back(*variable);
    }
    const std::unique_ptr<char, decltype(&std::free)> directory{::getcwd(nullptr, 0), &std::free};
    // Out of reach in another mount namespace the kernel answers "(unreachable)/...".
    if (directory && *directory == '/') surroundings.working_directory = directory.get();
    surroundings.home = value_of(surroundings.environment, "HOME");
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        surroundings.open_files_soft = limit.rlim_cur;
        surroundings.open_files_hard = limit.rlim_max;
    }
    return surroundings;
}

std::string value_of(const std::vector<std::string>& environment, const std::string& name) {
    const std::string prefix = name + "=";
    for (const auto& variable : environment) {
        if (variable.starts_with(prefix)) return variable.substr(prefix.size());
    }
    return {};
}

std::string program_path() {
    std::string path(PATH_MAX, '\0');
    const auto length = ::readlink("/proc/self/exe", path.data(), path.size());
    if (length <= 0) return "bgshell";
    path.resize(static_cast<std::size_t>(length));
    return path;
}

}  // namespace bgshell::app
