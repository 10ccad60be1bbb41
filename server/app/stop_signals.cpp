#include "app/stop_signals.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <csignal>

#include "platform/pidfd.hpp"

namespace bgshell::app {

using boost::system::error_code;

StopSignals::StopSignals(boost::asio::any_io_executor executor, std::function<void()> stop)
    : stop_{std::move(stop)}, signals_{executor, SIGINT, SIGTERM, SIGHUP}, parent_{executor} {
    wait_for_signal();
    watch_parent();
}

void StopSignals::cancel() {
    error_code ignored;  // what is not waiting needs no cancelling
    signals_.cancel(ignored);
    parent_.close(ignored);
}

void StopSignals::wait_for_signal() {
    signals_.async_wait([this](error_code error, int) {
        if (error) return;
        stop_();
        wait_for_signal();
    });
}

// Never PDEATHSIG: it fires when the *thread* that started us ends.
void StopSignals::watch_parent() {
    const pid_t parent = ::getppid();
    if (parent <= 1) return;  // adopted by init, or in a pid namespace of our own
    auto pidfd = platform::open_pidfd(parent);
    if (!pidfd) return;
    if (::getppid() != parent) {  // it died just now, and its pid may be somebody else's
        boost::asio::post(parent_.get_executor(), stop_);
        return;
    }
    parent_.assign(pidfd->release());
    parent_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](error_code error) {
        if (!error) stop_();
    });
}

}  // namespace bgshell::app
