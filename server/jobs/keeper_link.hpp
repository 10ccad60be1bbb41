// KeeperLink: a connection to one keeper, messages in and out. Loop thread only.
//
// The birth socket of a keeper of ours, or a socket of a job's directory. Closing it is how a front
// end lets go of a job.
#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "keeper/messages.hpp"
#include "platform/clock.hpp"
#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::jobs {

class KeeperLink {
  public:
    // Takes a connected SEQPACKET socket and says hello on it.
    KeeperLink(boost::asio::any_io_executor executor, platform::UniqueFd socket);
    KeeperLink(const KeeperLink&) = delete;
    KeeperLink& operator=(const KeeperLink&) = delete;

    // Sends now, or when the keeper has read what was sent before. Never blocks; what is sent to a
    // keeper that is gone is dropped, and `receive` tells the end.
    void send(const keeper::ToKeeper& message);
    // On a birth socket, before `start`: waits until the keeper has greeted. An error means that it
    // does not live (any more), or not within `patience`, and another may be tried.
    boost::asio::awaitable<platform::error_code> greeting(platform::Milliseconds patience);
    // Sends `start` with its descriptors (borrowed). An error means that nothing was started.
    [[nodiscard]] platform::error_code start(std::span<const int> descriptors);

    // The next message; nullopt at the end of the connection, which is the keeper's own unless
    // `close` was called. One at a time. A hello is swallowed; a packet that does not decode, or a
    // version that we do not understand, ends the connection.
    boost::asio::awaitable<std::optional<keeper::FromKeeper>> receive();

    // Makes a keeper that was stopped go on, and tells so; one that has not greeted is not known.
    bool continue_if_stopped();

    void close();

  private:
    void flush();
    boost::asio::awaitable<bool> wait_for_peer();
    boost::asio::posix::stream_descriptor socket_;
    std::deque<std::string> waiting_;  // not yet sent
    pid_t keeper_ = 0;                 // once it has greeted
};

}  // namespace bgshell::jobs
