// StdioEndpoint: one client on a pair of descriptors, one JSON-RPC message per line, from the first
// byte to the end of the process.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "mcp/connection.hpp"
#include "mcp/server.hpp"
#include "platform/outcome.hpp"
#include "transport/line_framer.hpp"
#include "transport/line_writer.hpp"
#include "transport/private_descriptor.hpp"

namespace bgshell::transport {

class StdioEndpoint {
  public:
    static constexpr std::size_t kLongestLine = std::size_t{4} << 20;
    // While more than this waits to be written, nothing is read, only the end of input seen.
    static constexpr std::size_t kMostUnread = std::size_t{8} << 20;

    // `in` and `out` (0 and 1) stay the caller's and are left as they were found. `server` outlives
    // it; `owner` is that of its callers. SIGPIPE must be ignored.
    [[nodiscard]] static platform::Outcome<std::unique_ptr<StdioEndpoint>> open(
        boost::asio::any_io_executor executor, const mcp::Server& server, std::string owner, int in,
        int out);
    // After `run` has returned.
    ~StdioEndpoint();
    StdioEndpoint(const StdioEndpoint&) = delete;
    StdioEndpoint& operator=(const StdioEndpoint&) = delete;

    // Serves until the client closes its end, cannot be written to, or `stop`. What was read before
    // is then answered if that needs no wait, waits are given up, and all of it takes at most 40
    // ms, unless a call hangs; `input_ended` is called before that begins. May be called once.
    boost::asio::awaitable<void> run(std::function<void()> input_ended = {});
    // As if the client had closed its end now. May be called at any time, also again.
    void stop();

    // For what happens outside of requests.
    [[nodiscard]] mcp::Connection& connection() noexcept { return *connection_; }

  private:
    StdioEndpoint(boost::asio::any_io_executor executor, const mcp::Server& server,
                  std::string owner, PrivateDescriptor in, platform::UniqueFd read_end,
                  PrivateDescriptor out, platform::UniqueFd write_end);
    boost::asio::awaitable<void> read_all();
    boost::asio::awaitable<bool> hang_up();
    void take(const FramedLine& line);

    PrivateDescriptor in_;
    PrivateDescriptor out_;
    boost::asio::posix::stream_descriptor input_;
    LineFramer framer_{kLongestLine};
    std::shared_ptr<LineWriter> writer_;
    std::unique_ptr<mcp::Connection> connection_;
    bool stopping_ = false;
};

}  // namespace bgshell::transport
