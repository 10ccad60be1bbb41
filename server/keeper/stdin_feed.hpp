// StdinFeed: what is on its way into the job's stdin. Never blocks: what the job does not take
// waits here, at most one write of each peer.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "keeper/messages.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class StdinFeed {
  public:
    using Peer = std::uint64_t;

    // `pipe` is non-blocking, or none if the job has no stdin of ours.
    explicit StdinFeed(platform::UniqueFd pipe) noexcept
        : has_stdin_{bool{pipe}}, pipe_{std::move(pipe)} {}

    void write(Peer peer, std::string bytes);
    void end_of_file(Peer peer);
    [[nodiscard]] bool waits_for(Peer peer) const noexcept;
    // Writable when advance() has something to do; -1: it has nothing.
    [[nodiscard]] int poll_fd() const noexcept { return queue_.empty() ? -1 : pipe_.get(); }
    void advance();
    // The job has ended: what still waits is answered with EPIPE.
    void close();
    [[nodiscard]] std::vector<std::pair<Peer, Wrote>> take_answers() {
        return std::exchange(answers_, {});
    }

  private:
    struct Item {
        Peer peer = 0;
        bool end_of_file = false;
        std::string bytes;
        std::size_t written = 0;
    };
    void add(Item item);
    void answer_front(int error);

    bool has_stdin_;
    platform::UniqueFd pipe_;
    std::deque<Item> queue_;
    std::vector<std::pair<Peer, Wrote>> answers_;
};

}  // namespace bgshell::keeper
