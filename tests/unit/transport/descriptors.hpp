// Pipes and sockets for tests of descriptors.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <string_view>
#include <utility>

#include "platform/unique_fd.hpp"

namespace bgshell::test {

struct Ends {
    platform::UniqueFd read;
    platform::UniqueFd write;
};

inline Ends make_pipe() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    return {platform::UniqueFd{ends[0]}, platform::UniqueFd{ends[1]}};
}

inline Ends make_socket_pair() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    return {platform::UniqueFd{ends[0]}, platform::UniqueFd{ends[1]}};
}

inline bool is_non_blocking(int fd) {
    return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
}

inline void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(fd, bytes.data(), bytes.size());
        REQUIRE(count > 0);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

// At most `count` bytes of what is there now; nothing where nothing is.
inline std::string read_now(int fd, std::size_t count) {
    pollfd ready{fd, POLLIN, 0};
    if (::poll(&ready, 1, 0) != 1 || (ready.revents & POLLIN) == 0) return {};
    std::string bytes(count, '\0');
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
}

struct IgnoreSigpipe {
    IgnoreSigpipe() { std::signal(SIGPIPE, SIG_IGN); }
};

}  // namespace bgshell::test
