#include "bench/measure.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace bench {
namespace {

std::vector<char*> pointers(const Arguments& texts) {
    std::vector<char*> list;
    for (const auto& text : texts) list.push_back(const_cast<char*>(text.c_str()));  // NOLINT
    list.push_back(nullptr);
    return list;
}

pid_t spawn_with(const Arguments& argv, const Arguments& extra,
                 posix_spawn_file_actions_t* actions) {
    Arguments environment = extra;
    for (char** variable = environ; *variable != nullptr; ++variable)
        environment.emplace_back(*variable);
    posix_spawnattr_t session;
    ::posix_spawnattr_init(&session);
    ::posix_spawnattr_setflags(&session, POSIX_SPAWN_SETSID);
    pid_t pid = 0;
    const int error = ::posix_spawnp(&pid, argv[0].c_str(), actions, &session,
                                     pointers(argv).data(), pointers(environment).data());
    ::posix_spawnattr_destroy(&session);
    if (error != 0) fail("cannot start " + argv[0]);
    return pid;
}

std::vector<std::string> stat_fields(pid_t pid) {
    const std::string text = read_file("/proc/" + std::to_string(pid) + "/stat");
    const auto after_name = text.rfind(')');
    if (after_name == std::string::npos) return {};
    std::istringstream words{text.substr(after_name + 1)};
    return {std::istream_iterator<std::string>{words}, {}};
}

}  // namespace

double quantile(std::vector<double> values, double share) {
    if (values.empty()) fail("no values");
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

double timed(const std::function<void()>& call) {
    const auto began = Clock::now();
    call();
    return Seconds{Clock::now() - began}.count();
}

pid_t spawn(const Arguments& argv) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    const pid_t pid = spawn_with(argv, {}, &actions);
    ::posix_spawn_file_actions_destroy(&actions);
    return pid;
}

Pipes spawn_piped(const Arguments& argv, const Arguments& extra) {
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) fail("no pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    const Pipes pipes{spawn_with(argv, extra, &actions), in[1], out[0]};
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    return pipes;
}

void wait_for(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
}

void run(const Arguments& argv) {
    wait_for(spawn(argv));
}

std::string read_file(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

double cpu_seconds(pid_t pid) {
    const auto fields = stat_fields(pid);
    if (fields.size() < 13) return 0;
    // Fields 14 and 15 of proc(5); here the list begins with field 3.
    return (std::stod(fields[11]) + std::stod(fields[12])) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
}

pid_t parent_of(pid_t pid) {
    const auto fields = stat_fields(pid);
    return fields.size() < 2 ? 0 : std::stoi(fields[1]);
}

double memory_kb(pid_t pid, const std::string& field) {
    const std::string text = read_file("/proc/" + std::to_string(pid) + "/smaps_rollup");
    const auto at = text.find("\n" + field + ":");
    return at == std::string::npos ? 0 : std::stod(text.substr(at + field.size() + 2));
}

int processes_with(const std::string& text) {
    int count = 0;
    DIR* folder = ::opendir("/proc");
    if (folder == nullptr) fail("no /proc");
    while (const dirent* entry = ::readdir(folder)) {
        const std::string name = entry->d_name;
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (read_file("/proc/" + name + "/environ").find(text) != std::string::npos) ++count;
    }
    ::closedir(folder);
    return count;
}

void fail(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

}  // namespace bench
