#include "transport/stdio_endpoint.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>
#include <variant>

#include "mcp/json_rpc.hpp"

namespace bgshell::transport {

namespace asio = boost::asio;
using namespace asio::experimental::awaitable_operators;
using platform::Outcome;
using platform::UniqueFd;

namespace {

// Clients kill a server that lingers, the first within 100 ms; the process has 50 ms in all.
constexpr platform::Milliseconds kLastAnswers{25};
constexpr platform::Milliseconds kLastWrites{15};

}  // namespace

Outcome<std::unique_ptr<StdioEndpoint>> StdioEndpoint::open(asio::any_io_executor executor,
                                                            const mcp::Server& server,
                                                            std::string owner, int in, int out) {
    auto input = PrivateDescriptor::open(in, PrivateDescriptor::Access::read);
    if (!input) return input.error();
    auto output = PrivateDescriptor::open(out, PrivateDescriptor::Access::write);
    if (!output) return output.error();
    auto read_end = input->duplicate();
    if (!read_end) return read_end.error();
    auto write_end = output->duplicate();
    if (!write_end) return write_end.error();
    return std::unique_ptr<StdioEndpoint>{
        new StdioEndpoint{std::move(executor), server, std::move(owner), std::move(*input),
                          std::move(*read_end), std::move(*output), std::move(*write_end)}};
}

StdioEndpoint::StdioEndpoint(asio::any_io_executor executor, const mcp::Server& server,
                             std::string owner, PrivateDescriptor in, UniqueFd read_end,
                             PrivateDescriptor out, UniqueFd write_end)
    : in_{std::move(in)},
      out_{std::move(out)},
      input_{executor, read_end.release()},
      writer_{std::make_shared<LineWriter>(executor, std::move(write_end), [this] { stop(); })},
      connection_{std::make_unique<mcp::Connection>(executor, server, std::move(owner), writer_)} {}

StdioEndpoint::~StdioEndpoint() = default;

asio::awaitable<void> StdioEndpoint::run(std::function<void()> input_ended) {
    // A cancellation is a stop: what is begun below is also ended.
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await read_all();
    if (input_ended) input_ended();
    if (!writer_->broken()) {
        co_await connection_->finish(kLastAnswers);
        co_await writer_->drain(kLastWrites);
    }
    co_await connection_->close();
    co_await writer_->close();
}

void StdioEndpoint::stop() {
    stopping_ = true;
    input_.cancel();
    writer_->wake();
}

asio::awaitable<void> StdioEndpoint::read_all() {
    while (!stopping_) {
        if (writer_->waiting() > kMostUnread) {
            const auto first = co_await (hang_up() || writer_->less());
            const auto* const hung_up = std::get_if<0>(&first);
            if (hung_up == nullptr) continue;
            if (*hung_up) {
                // Whoever reads on is answered; whoever does not is not waited for.
                const auto before = writer_->waiting();
                co_await writer_->drain(kLastWrites);
                if (writer_->waiting() >= before) break;
                continue;
            }
            if (!stopping_) co_await writer_->less();  // a file, which nobody hangs up
            continue;
        }
        if (const auto line = framer_.next()) {
            take(*line);
            continue;
        }
        const auto space = framer_.space();
        const auto buffer = asio::buffer(space.data(), space.size());
        // No deadline: a client may be silent as long as it likes.
        const auto [error, count] =
            co_await input_.async_read_some(buffer, asio::as_tuple(asio::use_awaitable));
        if (error == asio::error::eof) {
            if (const auto last = framer_.end()) take(*last);
        }
        if (error) break;  // an input that fails has ended, too
        framer_.filled(count);
    }
}

// Whether the client has closed its end, what it wrote before perhaps unread; false: that cannot be
// told.
asio::awaitable<bool> StdioEndpoint::hang_up() {
    const auto [error] = co_await input_.async_wait(asio::posix::stream_descriptor::wait_error,
                                                    asio::as_tuple(asio::use_awaitable));
    co_return !error;
}

void StdioEndpoint::take(const FramedLine& line) {
    if (line.kind == FramedLine::Kind::line) {
        connection_->receive(line.text, writer_);
        return;
    }
    const mcp::RpcError error{mcp::ErrorCode::invalid_request,
                              "The message is longer than " + std::to_string(kLongestLine >> 20) +
                                  " MiB and was dropped."};
    writer_->send(mcp::write_error({}, error), {});
}

}  // namespace bgshell::transport
