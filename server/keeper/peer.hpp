// Peer: one connection of the keeper. Sending never blocks: what the socket does not take waits
// here.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "keeper/messages.hpp"
#include "platform/seqpacket.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class Peer {
  public:
    enum class Kind { birth, accepted };

    // Greets with `hello`.
    Peer(std::uint64_t number, Kind kind, platform::UniqueFd socket);

    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
    [[nodiscard]] bool is_birth() const noexcept { return kind_ == Kind::birth; }
    [[nodiscard]] int fd() const noexcept { return socket_.get(); }

    // Kept until it is sent, or the connection ends.
    void send(const FromKeeper& message);
    // Sends a level: only the latest counts, and only a peer that has read all before gets another.
    // True: there is nothing to tell that it does not know.
    bool send_level(const Grew& level);
    // It knows this level without being told.
    void knows(const Grew& level) noexcept { told_produced_ = level.bytes_produced; }
    // Sends what waits.
    void flush();
    [[nodiscard]] bool has_unsent() const noexcept { return !unsent_.empty(); }

    // The next packet; none: nothing has arrived. A connection that ended or misbehaved is
    // broken().
    [[nodiscard]] std::optional<platform::Packet> receive();
    [[nodiscard]] bool broken() const noexcept { return broken_; }
    // Ends the connection, once it is looked at next.
    void break_off() noexcept { broken_ = true; }

    bool greeted = false;  // its `hello` has come
    bool subscribed = false;
    bool adopter = false;

  private:
    // More than any well-behaved peer leaves unread.
    static constexpr std::size_t kMaxUnsent = 64;

    std::uint64_t number_;
    Kind kind_;
    platform::UniqueFd socket_;
    std::deque<std::string> unsent_;
    std::optional<std::uint64_t> told_produced_;
    bool deaf_ = false;  // takes nothing more, but may have something to say
    bool broken_ = false;
};

}  // namespace bgshell::keeper
