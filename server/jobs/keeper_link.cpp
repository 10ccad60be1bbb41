#include "jobs/keeper_link.hpp"

#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <utility>

#include "keeper/continue_keeper.hpp"
#include "platform/seqpacket.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using asio::posix::stream_descriptor;

namespace {

constexpr std::size_t kMaxPacket = keeper::kMaxPayload + 1;

bool is_full(const platform::error_code& error) {
    return error == boost::system::errc::resource_unavailable_try_again;
}

bool is_understood(const keeper::Hello& hello) {
    return hello.version >= keeper::kOldestProtocolVersion;
}

// The process id of the keeper that greets.
platform::Outcome<pid_t> greeter(const std::optional<keeper::FromKeeper>& message) {
    const auto* failed = message ? std::get_if<keeper::StartFailed>(&*message) : nullptr;
    if (failed != nullptr) return platform::errno_code(failed->error);
    const auto* hello = message ? std::get_if<keeper::Hello>(&*message) : nullptr;
    if (hello == nullptr || !is_understood(*hello)) return platform::errno_code(EPROTO);
    return {boost::system::in_place_value, static_cast<pid_t>(hello->pid)};
}

}  // namespace

KeeperLink::KeeperLink(asio::any_io_executor executor, platform::UniqueFd socket)
    : socket_{executor, socket.release()} {
    send(keeper::Hello{keeper::kProtocolVersion, static_cast<std::int32_t>(::getpid())});
}

void KeeperLink::send(const keeper::ToKeeper& message) {
    if (!socket_.is_open()) return;
    waiting_.push_back(keeper::encode(message));
    flush();
    // Whoever waits for a message must now also wait for room.
    if (!waiting_.empty()) socket_.cancel();
}

asio::awaitable<platform::error_code> KeeperLink::greeting(platform::Milliseconds patience) {
    using asio::experimental::awaitable_operators::operator||;
    const auto token = asio::as_tuple(asio::use_awaitable);
    asio::steady_timer limit{socket_.get_executor(), patience};
    for (;;) {
        const auto received = platform::receive_packet(socket_.native_handle(), kMaxPacket);
        if (!received) co_return received.error();
        if (std::holds_alternative<platform::EndOfStream>(*received)) {
            co_return platform::errno_code(EPIPE);
        }
        if (const auto* packet = std::get_if<platform::Packet>(&*received)) {
            const auto pid = greeter(keeper::decode_from_keeper(packet->bytes));
            if (!pid) co_return pid.error();
            keeper_ = *pid;
            continue;  // what is behind it: a spare may have died meanwhile
        }
        if (keeper_ != 0) co_return platform::error_code{};
        if (std::chrono::steady_clock::now() >= limit.expiry()) {
            co_return platform::errno_code(ETIMEDOUT);
        }
        auto readable = socket_.async_wait(stream_descriptor::wait_read, token);
        auto late = limit.async_wait(token);
        const auto first = co_await (std::move(readable) || std::move(late));
        static_cast<void>(first);
    }
}

platform::error_code KeeperLink::start(std::span<const int> descriptors) {
    return platform::send_packet(socket_.native_handle(), keeper::encode(keeper::Start{}),
                                 descriptors);
}

void KeeperLink::flush() {
    while (!waiting_.empty()) {
        const auto error = platform::send_packet(socket_.native_handle(), waiting_.front());
        if (is_full(error)) return;
        waiting_.pop_front();  // sent, or the keeper is gone and `receive` will say so
    }
}

// False: the connection was closed by us.
asio::awaitable<bool> KeeperLink::wait_for_peer() {
    using asio::experimental::awaitable_operators::operator||;
    const auto token = asio::as_tuple(asio::use_awaitable);
    if (waiting_.empty()) {
        const auto [error] = co_await socket_.async_wait(stream_descriptor::wait_read, token);
        static_cast<void>(error);
    } else {
        auto readable = socket_.async_wait(stream_descriptor::wait_read, token);
        auto writable = socket_.async_wait(stream_descriptor::wait_write, token);
        const auto first = co_await (std::move(readable) || std::move(writable));
        static_cast<void>(first);
    }
    co_return socket_.is_open();
}

asio::awaitable<std::optional<keeper::FromKeeper>> KeeperLink::receive() {
    while (socket_.is_open()) {
        flush();
        auto received = platform::receive_packet(socket_.native_handle(), kMaxPacket);
        if (!received || std::holds_alternative<platform::EndOfStream>(*received)) break;
        if (const auto* packet = std::get_if<platform::Packet>(&*received)) {
            auto message = keeper::decode_from_keeper(packet->bytes);
            if (!message) break;
            const auto* hello = std::get_if<keeper::Hello>(&*message);
            if (hello == nullptr) co_return message;
            if (!is_understood(*hello)) break;
            keeper_ = hello->pid;
            continue;
        }
        const bool open = co_await wait_for_peer();
        if (!open) break;
    }
    close();
    co_return std::nullopt;
}

bool KeeperLink::continue_if_stopped() {
    return keeper_ != 0 && socket_.is_open() &&
           keeper::continue_if_stopped(keeper_, socket_.native_handle());
}

void KeeperLink::close() {
    boost::system::error_code ignored;  // close gives the descriptor up whatever it says
    socket_.close(ignored);
}

}  // namespace bgshell::jobs
