#include "platform/seqpacket.hpp"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace bgshell::platform {
namespace {

constexpr int kKind = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK;
constexpr std::size_t kMaxDescriptors = 8;
constexpr int kBacklog = 64;

// Room for the control message of kMaxDescriptors descriptors, aligned as the kernel wants it.
struct ControlBuffer {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> bytes{};
};

Outcome<UniqueFd> make_socket() {
    UniqueFd fd{::socket(AF_UNIX, kKind, 0)};
    if (!fd) return last_error();
    return fd;
}

Outcome<sockaddr_un> address_in(int directory, std::string_view name) {
    const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + std::string{name};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) return errno_code(ENAMETOOLONG);
    std::copy(path.begin(), path.end(), address.sun_path);
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

Outcome<ucred> credentials(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return last_error();
    return peer;
}

std::vector<UniqueFd> take_descriptors(msghdr& header) {
    std::vector<UniqueFd> descriptors;
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr;
         part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
            descriptors.emplace_back(fd);
        }
    }
    return descriptors;
}

}  // namespace

Outcome<std::pair<UniqueFd, UniqueFd>> seqpacket_pair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, kKind, 0, ends.data()) != 0) return last_error();
    return std::pair{UniqueFd{ends[0]}, UniqueFd{ends[1]}};
}

Outcome<UniqueFd> seqpacket_listen(int directory, std::string_view name) {
    const auto address = address_in(directory, name);
    if (!address) return address.error();
    auto socket = make_socket();
    if (!socket) return socket;
    // The file's mode is that of the unbound socket, less the umask.
    if (::fchmod(socket->get(), 0600) != 0) return last_error();
    if (::bind(socket->get(), generic(*address), sizeof *address) != 0) return last_error();
    if (::listen(socket->get(), kBacklog) != 0) return last_error();
    return socket;
}

Outcome<UniqueFd> seqpacket_connect(int directory, std::string_view name) {
    const auto address = address_in(directory, name);
    if (!address) return address.error();
    auto socket = make_socket();
    if (!socket) return socket;
    if (::connect(socket->get(), generic(*address), sizeof *address) != 0) return last_error();
    return socket;
}

Outcome<UniqueFd> seqpacket_accept(int listener) {
    UniqueFd fd{retry_eintr(
        [&] { return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); })};
    if (!fd) return last_error();
    return fd;
}

Outcome<uid_t> peer_user(int socket) {
    const auto peer = credentials(socket);
    if (!peer) return peer.error();
    return peer->uid;
}

Outcome<pid_t> peer_process(int socket) {
    const auto peer = credentials(socket);
    if (!peer) return {boost::system::in_place_error, peer.error()};
    return {boost::system::in_place_value, peer->pid};
}

Outcome<Received> receive_packet(int socket, std::size_t max_bytes) {
    // The size first: packets are mostly tiny, and a keeper pays for every page that it touches.
    const auto peek = [&] {
        return ::recv(socket, nullptr, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
    };
    auto size = retry_eintr(peek);
    // A peer that left packets of ours unread is reported once, ahead of what it sent before it
    // closed.
    if (size < 0 && errno == ECONNRESET) size = retry_eintr(peek);
    if (size < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK) return Received{NoPacket{}};
        return last_error();
    }
    Packet packet;
    packet.bytes.resize(std::min(static_cast<std::size_t>(size), max_bytes));
    iovec piece{packet.bytes.data(), packet.bytes.size()};
    ControlBuffer control;
    msghdr header{};
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
    const auto got =
        retry_eintr([&] { return ::recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC); });
    if (got < 0) return last_error();
    packet.descriptors = take_descriptors(header);
    if (got == 0) return Received{EndOfStream{}};
    if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return errno_code(EMSGSIZE);
    packet.bytes.resize(static_cast<std::size_t>(got));
    return Received{std::move(packet)};
}

error_code send_packet(int socket, std::string_view bytes, std::span<const int> descriptors) {
    constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    if (descriptors.empty()) {
        const auto sent =
            retry_eintr([&] { return ::send(socket, bytes.data(), bytes.size(), flags); });
        return sent < 0 ? last_error() : error_code{};
    }
    if (descriptors.size() > kMaxDescriptors) return errno_code(EINVAL);
    std::string copy{bytes};  // an iovec wants it writable
    iovec piece{copy.data(), copy.size()};
    ControlBuffer control;
    msghdr header{};
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
    const auto sent = retry_eintr([&] { return ::sendmsg(socket, &header, flags); });
    return sent < 0 ? last_error() : error_code{};
}

Outcome<std::size_t> unread_by_peer(int socket) {
    int bytes = 0;
    if (::ioctl(socket, SIOCOUTQ, &bytes) != 0) return last_error();
    return static_cast<std::size_t>(bytes);
}

}  // namespace bgshell::platform
