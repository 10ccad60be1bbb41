// Small tools of the benchmark: times, medians, child processes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC
using Seconds = std::chrono::duration<double>;
using Arguments = std::vector<std::string>;

// The value below which `share` of `values` lie; the median by default.
[[nodiscard]] double quantile(std::vector<double> values, double share = 0.5);

// Runs `call` and tells the seconds it took.
[[nodiscard]] double timed(const std::function<void()>& call);

struct Pipes {
    pid_t pid = 0;
    int to = -1;    // its stdin
    int from = -1;  // its stdout
};
// posix_spawn of argv[0] (looked up in PATH) with the bench's environment and `extra` (NAME=value),
// in a session of its own, as jobs are: the kernel shares the processors out by sessions.
// Without pipes stdin and stdout are /dev/null. Ends the program if it cannot.
[[nodiscard]] pid_t spawn(const Arguments& argv);
[[nodiscard]] Pipes spawn_piped(const Arguments& argv, const Arguments& extra);
void wait_for(pid_t pid);
// posix_spawn and wait: the yardstick of everything that starts.
void run(const Arguments& argv);

// The content of a file; empty if it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);
// User and system time of a process so far, in seconds.
[[nodiscard]] double cpu_seconds(pid_t pid);
[[nodiscard]] pid_t parent_of(pid_t pid);
// A field of smaps_rollup ("Rss", "Pss") in kB.
[[nodiscard]] double memory_kb(pid_t pid, const std::string& field);
// How many living processes have `text` in their environment.
[[nodiscard]] int processes_with(const std::string& text);

[[noreturn]] void fail(const std::string& what);

}  // namespace bench
