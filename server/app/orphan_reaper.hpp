// OrphanReaper: as pid 1 of a container the front end inherits every orphan there, and reaps those
// that end.
#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <set>

namespace bgshell::app {

class OrphanReaper {
  public:
    explicit OrphanReaper(boost::asio::any_io_executor executor);
    // The loop is not kept alive any more.
    void cancel();

  private:
    void wait_for_child();
    void look_again();

    boost::asio::signal_set signals_;
    boost::asio::steady_timer timer_;
    bool waiting_ = false;  // on the timer
    std::set<pid_t> seen_;  // ended and unreaped when we looked last
};

}  // namespace bgshell::app
