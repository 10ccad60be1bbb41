// StopSignals: what ends a front end from outside, besides the end of its input: SIGINT, SIGTERM,
// SIGHUP and the death of the process that started it (which may leave stdin open in somebody
// else's hands).
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>

namespace bgshell::app {

class StopSignals {
  public:
    // `stop` is called on the loop, perhaps more than once, until `cancel`.
    StopSignals(boost::asio::any_io_executor executor, std::function<void()> stop);

    // Nothing is called any more, and the loop is not kept alive.
    void cancel();

  private:
    void wait_for_signal();
    void watch_parent();

    std::function<void()> stop_;
    boost::asio::signal_set signals_;
    boost::asio::posix::stream_descriptor parent_;  // a pidfd
};

}  // namespace bgshell::app
