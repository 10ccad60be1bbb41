// Store: the registry and the state directory behind one worker thread, so that a slow disk never
// blocks the loop. Work is done in the order in which it was asked for.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <type_traits>
#include <utility>

#include "store/registry.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

class Store {
  public:
    // Opens nothing yet: the state directory and the registry are opened by the first work, so that
    // a front end that is only probed costs nothing and leaves nothing.
    Store(std::string path, bool allow_network);
    // Waits for the work that was asked for.
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    struct Opened {
        StateDirectory state;
        std::unique_ptr<Registry> registry;
    };

    // Runs `work(Opened&)` on the worker and resumes the caller on its own executor with the
    // result, a Result<T>; with the error of opening if that failed (it is tried again by the next
    // work). `work` is moved into the worker before this suspends: name it, then move it in. Not
    // cancellable: a cancelled caller still waits for its work, which is short.
    template <class Work>
    auto run(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work, Opened&>>;

    // The same for work whose result nobody waits for; a failure is given to the failure handler.
    template <class Work>
    void post(Work work);
    // Called on the worker with the error of a posted work.
    void on_failure(std::function<void(const Error&)> handler);

  private:
    Result<Opened*> opened();
    std::string path_;
    bool allow_network_;
    std::optional<Opened> opened_;
    std::function<void(const Error&)> failure_;
    boost::asio::thread_pool worker_{1};
};

}  // namespace bgshell::store
