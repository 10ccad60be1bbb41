// Which TCP ports some processes listen on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace bgshell::platform {

// Sorted, each once, of IPv4 and IPv6 and of whatever network namespaces the processes are in. What
// may not be read (another user's process) counts as listening on nothing.
[[nodiscard]] std::vector<std::uint16_t> listening_ports(const std::vector<pid_t>& pids);

// Those that anybody listens on in our own network namespace.
[[nodiscard]] std::set<std::uint16_t> all_listening_ports();

// The ports of the listening sockets in the text of a /proc/<pid>/net/tcp or tcp6 whose inodes are
// in `inodes`.
void collect_listening(std::string_view table, const std::set<std::uint64_t>& inodes,
                       std::set<std::uint16_t>& ports);

}  // namespace bgshell::platform
