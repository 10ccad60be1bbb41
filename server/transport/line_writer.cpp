#include "transport/line_writer.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <utility>

#include "platform/outcome.hpp"

namespace bgshell::transport {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kMostAtOnce = 64;  // lines in one writev
// Only a client that reads nothing while its calls are answered can make so much wait: requests are
// not read long before.
constexpr std::size_t kMostWaiting = std::size_t{64} << 20;

}  // namespace

LineWriter::LineWriter(asio::any_io_executor executor, platform::UniqueFd fd,
                       std::function<void()> on_broken)
    : stream_{executor, fd.release()},
      on_broken_{std::move(on_broken)},
      less_{executor, asio::steady_timer::time_point::max()},
      scope_{executor, [](const std::exception_ptr&) {}} {}

LineWriter::~LineWriter() = default;

void LineWriter::send(std::string message, std::function<void(bool)> done) {
    if (broken_ || scope_.closing()) {
        if (done) asio::post(stream_.get_executor(), [done = std::move(done)] { done(false); });
        return;
    }
    message += '\n';
    waiting_ += message.size();
    entries_.push_back({std::move(message), std::move(done)});
    if (waiting_ > kMostWaiting) {
        overfull_ = true;
        stream_.cancel();
    }
    if (flushing_) return;
    flushing_ = true;
    // At once, for the reader waits; who is told of it is told in a later turn, and a failure is
    // met again there.
    ahead_ = static_cast<std::size_t>(std::max<ssize_t>(write_entries(), 0));
    scope_.spawn(flush());
}

// Runs while something waits.
asio::awaitable<void> LineWriter::flush() {
    take_written(std::exchange(ahead_, 0));
    while (!entries_.empty()) {
        const Step step = write_some();
        if (step == Step::wrote) continue;
        if (step == Step::full && !overfull_) {
            // No deadline: a client may read as late as it likes.
            const auto [error] = co_await stream_.async_wait(
                asio::posix::stream_descriptor::wait_write, asio::as_tuple(asio::use_awaitable));
            if (!error) continue;
            if (error == asio::error::operation_aborted && !overfull_) break;  // by `close`
        }
        broken_ = true;
        lose_all();
        on_broken_();
    }
    flushing_ = false;
}

ssize_t LineWriter::write_entries() {
    std::array<iovec, kMostAtOnce> parts{};
    const std::size_t count = std::min(entries_.size(), parts.size());
    for (std::size_t index = 0; index < count; ++index) {
        parts[index] = {entries_[index].line.data(), entries_[index].line.size()};
    }
    parts[0] = {entries_[0].line.data() + front_written_, entries_[0].line.size() - front_written_};
    return platform::retry_eintr(
        [&] { return ::writev(stream_.native_handle(), parts.data(), static_cast<int>(count)); });
}

LineWriter::Step LineWriter::write_some() {
    const ssize_t written = write_entries();
    if (written < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? Step::full : Step::failed;
    take_written(static_cast<std::size_t>(written));
    return Step::wrote;
}

void LineWriter::take_written(std::size_t bytes) {
    waiting_ -= bytes;
    front_written_ += bytes;
    while (!entries_.empty() && front_written_ >= entries_.front().line.size()) {
        front_written_ -= entries_.front().line.size();
        const auto done = std::move(entries_.front().done);
        entries_.pop_front();
        if (done) done(true);
    }
    less_.cancel();
}

void LineWriter::lose_all() {
    const auto lost = std::exchange(entries_, {});
    waiting_ = 0;
    front_written_ = 0;
    for (const Entry& entry : lost) {
        if (entry.done) entry.done(false);
    }
    less_.cancel();
}

asio::awaitable<void> LineWriter::less() {
    less_.expires_at(asio::steady_timer::time_point::max());
    const auto [ignored] = co_await less_.async_wait(asio::as_tuple(asio::use_awaitable));
    static_cast<void>(ignored);  // always aborted
}

asio::awaitable<void> LineWriter::drain(platform::Milliseconds limit) {
    const auto deadline = asio::steady_timer::clock_type::now() + limit;
    while (waiting_ > 0 && asio::steady_timer::clock_type::now() < deadline) {
        less_.expires_at(deadline);
        const auto [ignored] = co_await less_.async_wait(asio::as_tuple(asio::use_awaitable));
        static_cast<void>(ignored);  // less waits, or the time is over
    }
}

asio::awaitable<void> LineWriter::close() {
    co_await scope_.close();
    take_written(std::exchange(ahead_, 0));
    lose_all();
}

}  // namespace bgshell::transport
