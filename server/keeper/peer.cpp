#include "keeper/peer.hpp"

#include <unistd.h>

namespace bgshell::keeper {
namespace {

constexpr std::size_t kMaxPacket = 1 + kMaxPayload;

}  // namespace

Peer::Peer(std::uint64_t number, Kind kind, platform::UniqueFd socket)
    : number_{number}, kind_{kind}, socket_{std::move(socket)} {
    send(Hello{.version = kProtocolVersion, .pid = ::getpid()});
}

void Peer::send(const FromKeeper& message) {
    if (deaf_) return;
    if (unsent_.size() >= kMaxUnsent) return break_off();
    unsent_.push_back(encode(message));
    flush();
}

bool Peer::send_level(const Grew& level) {
    if (deaf_ || told_produced_ == level.bytes_produced) return true;
    const auto unread = platform::unread_by_peer(socket_.get());
    if (has_unsent() || !unread || *unread > 0) return false;
    send(level);
    told_produced_ = level.bytes_produced;
    return false;
}

void Peer::flush() {
    while (!unsent_.empty()) {
        const auto error = platform::send_packet(socket_.get(), unsent_.front());
        if (error == platform::errno_code(EAGAIN)) return;
        if (error) {
            // It has closed. What it said before that still counts (a `release`, say).
            deaf_ = true;
            unsent_.clear();
            return;
        }
        unsent_.pop_front();
    }
}

std::optional<platform::Packet> Peer::receive() {
    if (broken_) return std::nullopt;
    auto received = platform::receive_packet(socket_.get(), kMaxPacket);
    if (received) {
        if (auto* packet = std::get_if<platform::Packet>(&*received)) return std::move(*packet);
        if (std::holds_alternative<platform::NoPacket>(*received)) return std::nullopt;
    }
    break_off();
    return std::nullopt;
}

}  // namespace bgshell::keeper
