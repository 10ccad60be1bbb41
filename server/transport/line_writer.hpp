// LineWriter: the one writer of a stream of lines. Messages go out whole and in order, however few
// bytes the reader takes at a time. One is written before `send` returns if nothing waits; what
// else is sent in the same turn of the loop goes out by one more call.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "mcp/message_sink.hpp"
#include "platform/clock.hpp"
#include "platform/task_scope.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::transport {

class LineWriter final : public mcp::MessageSink {
  public:
    // `fd` is non-blocking. `on_broken` is called once, on the loop, when the other side is gone or
    // the descriptor fails.
    LineWriter(boost::asio::any_io_executor executor, platform::UniqueFd fd,
               std::function<void()> on_broken);
    // After `close`.
    ~LineWriter() override;

    // After `close`, or once broken, the message is lost, and told so.
    void send(std::string message, std::function<void(bool written)> done) override;

    // Bytes that wait to be written.
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
    [[nodiscard]] bool broken() const noexcept { return broken_; }
    // Returns when less waits than now, or after `wake`.
    boost::asio::awaitable<void> less();
    void wake() { less_.cancel(); }
    // Returns when nothing waits, or after `limit`.
    boost::asio::awaitable<void> drain(platform::Milliseconds limit);
    // Gives up what has not been written, and joins.
    boost::asio::awaitable<void> close();

  private:
    struct Entry {
        std::string line;
        std::function<void(bool)> done;
    };
    enum class Step : std::uint8_t { wrote, full, failed };
    boost::asio::awaitable<void> flush();
    [[nodiscard]] ssize_t write_entries();
    Step write_some();
    void take_written(std::size_t bytes);
    void lose_all();

    boost::asio::posix::stream_descriptor stream_;
    std::function<void()> on_broken_;
    std::deque<Entry> entries_;
    std::size_t front_written_ = 0;  // bytes of the first entry
    std::size_t ahead_ = 0;          // bytes that `send` has written, not yet taken off
    std::size_t waiting_ = 0;
    bool flushing_ = false;
    bool broken_ = false;
    bool overfull_ = false;
    boost::asio::steady_timer less_;  // cancelled when less waits
    platform::TaskScope scope_;
};

}  // namespace bgshell::transport
