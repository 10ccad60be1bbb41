#include "platform/listening_ports.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <map>
#include <string>

#include "platform/directory_stream.hpp"
#include "platform/proc_file.hpp"

namespace bgshell::platform {
namespace {

constexpr std::size_t kTableBytes = 16 * 1024 * 1024;

template <class Number>
bool parse(std::string_view word, Number& number, int base) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
    return error == std::errc{} && end == word.data() + word.size();
}

// The inodes of all sockets that the process holds.
void collect_sockets(const std::string& process, std::set<std::uint64_t>& inodes) {
    const std::string path = process + "/fd";
    const DirectoryStream directory{::opendir(path.c_str())};
    if (!directory) return;
    constexpr std::string_view prefix = "socket:[";
    while (const dirent* entry = ::readdir(directory.get())) {
        std::array<char, 64> target{};
        const auto length =
            ::readlinkat(::dirfd(directory.get()), entry->d_name, target.data(), target.size());
        if (length <= 0) continue;
        std::string_view link{target.data(), static_cast<std::size_t>(length)};
        if (!link.starts_with(prefix) || !link.ends_with(']')) continue;
        link.remove_prefix(prefix.size());
        link.remove_suffix(1);
        std::uint64_t inode = 0;
        if (parse(link, inode, 10)) inodes.insert(inode);
    }
}

// A process of one network namespace, and the sockets of all processes in it.
struct Namespace {
    std::string process;
    std::set<std::uint64_t> inodes;
};

// Calls visit(inode, port) for each listening socket of a table.
template <class Visit>
void for_each_listener(std::string_view table, const Visit& visit) {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ...
    constexpr std::size_t kLocal = 1;
    constexpr std::size_t kState = 3;
    constexpr std::size_t kInode = 9;
    while (!table.empty()) {
        std::string_view line = table.substr(0, table.find('\n'));
        table.remove_prefix(std::min(line.size() + 1, table.size()));
        std::array<std::string_view, kInode + 1> words;
        for (auto& word : words) {
            line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
            word = line.substr(0, line.find(' '));
            line.remove_prefix(word.size());
        }
        std::uint64_t inode = 0;
        std::uint16_t port = 0;
        const auto colon = words[kLocal].rfind(':');
        if (words[kState] != "0A" || colon == std::string_view::npos) continue;  // 0A: TCP_LISTEN
        if (!parse(words[kInode], inode, 10) || !parse(words[kLocal].substr(colon + 1), port, 16)) {
            continue;
        }
        visit(inode, port);
    }
}

}  // namespace

void collect_listening(std::string_view table, const std::set<std::uint64_t>& inodes,
                       std::set<std::uint16_t>& ports) {
    for_each_listener(table, [&](std::uint64_t inode, std::uint16_t port) {
        if (inodes.contains(inode)) ports.insert(port);
    });
}

std::set<std::uint16_t> all_listening_ports() {
    std::set<std::uint16_t> ports;
    for (const char* file : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
        const auto table = read_proc_file(file, kTableBytes);
        if (!table) continue;
        for_each_listener(*table, [&](std::uint64_t, std::uint16_t port) { ports.insert(port); });
    }
    return ports;
}

std::vector<std::uint16_t> listening_ports(const std::vector<pid_t>& pids) {
    std::map<std::uint64_t, Namespace> namespaces;
    for (const pid_t pid : pids) {
        const std::string process = "/proc/" + std::to_string(pid);
        struct stat facts {};
        if (::stat((process + "/ns/net").c_str(), &facts) != 0) continue;
        auto& space = namespaces[facts.st_ino];
        space.process = process;
        collect_sockets(process, space.inodes);
    }
    std::set<std::uint16_t> ports;
    for (const auto& [inode, space] : namespaces) {
        if (space.inodes.empty()) continue;
        for (const char* file : {"/net/tcp", "/net/tcp6"}) {
            const auto table = read_proc_file(space.process + file, kTableBytes);
            if (table) collect_listening(*table, space.inodes, ports);
        }
    }
    return {ports.begin(), ports.end()};
}

}  // namespace bgshell::platform
