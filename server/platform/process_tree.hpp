// The processes below a process, from /proc: who they are and what they are called.
//
// Everything here is a look at a moving thing. Nothing found proves that nothing is there: whoever
// must be sure walks again until nothing changes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bgshell::platform {

struct ProcessFacts {
    pid_t pid = 0;
    std::string name;  // comm, at most 15 bytes, any byte
    char state = '?';  // R S D T t Z X I
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    long threads = 0;
    std::uint64_t start_ticks = 0;  // since boot; with the pid it names a process for good
    // A zombie does not live, but a process whose first thread alone has ended looks like one.
    [[nodiscard]] bool alive() const noexcept {
        return (state != 'Z' && state != 'X') || threads > 1;
    }
};

// The content of /proc/<pid>/stat; nullopt if it is not of that form.
[[nodiscard]] std::optional<ProcessFacts> parse_stat(std::string_view text);
// nullopt: there is no such process (any more).
[[nodiscard]] std::optional<ProcessFacts> process_facts(pid_t pid);

// Calls `visit` for each process below `root`, zombies included and `root` excluded, as soon as it
// is found (so that a signal sent from it is early), each parent before its children. Ends early
// when `visit` returns false: a tree that grows faster than one can walk has no end.
void walk_below(pid_t root, const std::function<bool(const ProcessFacts&)>& visit);

// Its argv joined by blanks as one line of at most 200 bytes, control characters as '?', no
// character of UTF-8 cut; its name in brackets if it has no argv. May wait for a process that is
// stuck in the kernel, so never before a signal that is due.
[[nodiscard]] std::string command_line(const ProcessFacts& process);
// The content of a cmdline file (arguments ended by NUL) in that form.
[[nodiscard]] std::string one_line(std::string_view arguments);
// The name of the process's effective user as /etc/passwd has it, else the number; empty if it is
// gone.
[[nodiscard]] std::string user_of(pid_t pid);

}  // namespace bgshell::platform
