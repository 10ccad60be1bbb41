#include "keeper/stdin_feed.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "platform/outcome.hpp"

namespace bgshell::keeper {

void StdinFeed::write(Peer peer, std::string bytes) {
    add({.peer = peer, .end_of_file = false, .bytes = std::move(bytes), .written = 0});
}

void StdinFeed::end_of_file(Peer peer) {
    add({.peer = peer, .end_of_file = true, .bytes = {}, .written = 0});
}

void StdinFeed::add(Item item) {
    queue_.push_back(std::move(item));
    advance();
}

bool StdinFeed::waits_for(Peer peer) const noexcept {
    return std::ranges::any_of(queue_, [&](const Item& item) { return item.peer == peer; });
}

void StdinFeed::advance() {
    while (!queue_.empty()) {
        Item& item = queue_.front();
        if (!pipe_) {
            answer_front(has_stdin_ ? EPIPE : EBADF);
            continue;
        }
        if (item.end_of_file) {
            pipe_.reset();
            answer_front(0);
            continue;
        }
        if (item.written < item.bytes.size()) {
            const auto count = platform::retry_eintr([&] {
                return ::write(pipe_.get(), item.bytes.data() + item.written,
                               item.bytes.size() - item.written);
            });
            if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
            if (count < 0) {
                pipe_.reset();  // EPIPE: nobody will ever read it
                continue;
            }
            item.written += static_cast<std::size_t>(count);
        }
        if (item.written == item.bytes.size()) answer_front(0);
    }
}

void StdinFeed::close() {
    pipe_.reset();
    advance();
}

void StdinFeed::answer_front(int error) {
    const Item& item = queue_.front();
    answers_.emplace_back(item.peer,
                          Wrote{.bytes = static_cast<std::uint32_t>(item.written), .error = error});
    queue_.pop_front();
}

}  // namespace bgshell::keeper
