// BackgroundThread: one thread that runs what is posted to its loop, in order.
//
// Not asio's thread_pool: that corrupts memory where its thread cannot be made (Boost 1.81).
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

namespace bgshell::store {

class BackgroundThread {
  public:
    // Throws std::system_error where the system has no thread to give.
    BackgroundThread();
    BackgroundThread(const BackgroundThread&) = delete;
    BackgroundThread& operator=(const BackgroundThread&) = delete;
    ~BackgroundThread();
    // Waits until all that was posted, and what that posts, is done; nothing is posted after it.
    // The destructor does the same.
    void join();

    [[nodiscard]] boost::asio::io_context& loop() noexcept { return loop_; }

  private:
    boost::asio::io_context loop_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> idle_;
    std::thread thread_;
};

}  // namespace bgshell::store
