// AF_UNIX SOCK_SEQPACKET: packets that arrive whole, with descriptors attached. Nothing here ever
// blocks.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {

// A connected pair.
[[nodiscard]] Outcome<std::pair<UniqueFd, UniqueFd>> seqpacket_pair();
// Makes the socket `name` (0600) in `directory` and listens. The path goes through /proc/self/fd,
// so a directory of any depth works in spite of the 108-byte limit on socket addresses. EADDRINUSE:
// it is there.
[[nodiscard]] Outcome<UniqueFd> seqpacket_listen(int directory, std::string_view name);
[[nodiscard]] Outcome<UniqueFd> seqpacket_connect(int directory, std::string_view name);
// EAGAIN: nobody waits.
[[nodiscard]] Outcome<UniqueFd> seqpacket_accept(int listener);
// The user who connected (SO_PEERCRED).
[[nodiscard]] Outcome<uid_t> peer_user(int socket);
// The process that made the other end, in our pid namespace (0: it is in another): who connected,
// or for a connection of ours who listens there.
[[nodiscard]] Outcome<pid_t> peer_process(int socket);

struct Packet {
    std::string bytes;                  // at least one
    std::vector<UniqueFd> descriptors;  // all close-on-exec
};
struct NoPacket {};     // none has arrived yet
struct EndOfStream {};  // the peer has closed
using Received = std::variant<Packet, NoPacket, EndOfStream>;

// EMSGSIZE: the packet was longer than `max_bytes`, and is gone. An empty packet counts as the end.
// What a peer sent before it closed is received first, always.
[[nodiscard]] Outcome<Received> receive_packet(int socket, std::size_t max_bytes);
// EAGAIN: the peer must read first. `descriptors` are borrowed, at most 8.
[[nodiscard]] error_code send_packet(int socket, std::string_view bytes,
                                     std::span<const int> descriptors = {});
// Bytes that were sent and that the peer has not read yet.
[[nodiscard]] Outcome<std::size_t> unread_by_peer(int socket);

}  // namespace bgshell::platform
