// Store: the registry and the state directory behind one worker thread, so that a slow disk never
// blocks the loop. Work is done in the order in which it was asked for. Used by one thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "store/registry.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

class Store {
  public:
    // Opens and starts nothing yet: the state directory, the registry and the worker are made by
    // the first work, so that a front end that is only probed costs nothing and leaves nothing.
    Store(std::string path, bool allow_network);
    // Waits for the work that was asked for. The loops of those who wait must still exist.
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
    auto run(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, Opened&>>;

    // The same for work whose result nobody waits for; a failure is given to the failure handler.
    template <class Work>
    void post(Work work);
    // Called on the worker with the error of a posted work. Set before the first work.
    void on_failure(std::function<void(const Error&)> handler);

  private:
    template <class Work>
    class Initiation;

    boost::asio::thread_pool& worker();
    Result<Opened*> opened();
    // The fence that no exception passes on its way to the other thread.
    template <class Work>
    std::invoke_result_t<Work&, Opened&> perform(Work& work);

    std::string path_;
    bool allow_network_;
    std::optional<Opened> opened_;  // touched by the worker alone
    std::function<void(const Error&)> failure_;
    std::optional<boost::asio::thread_pool> worker_;
};

// Starts the asynchronous operation behind `run`.
template <class Work>
class Store::Initiation {
  public:
    Initiation(Store& store, Work work) : store_{&store}, work_{std::move(work)} {}

    template <class Handler>
    void operator()(Handler handler) {
        // The guard keeps the caller's loop running while only the worker is busy for it.
        auto guard = boost::asio::make_work_guard(boost::asio::get_associated_executor(handler));
        boost::asio::post(store_->worker(), [store = store_, work = std::move(work_),
                                             guard = std::move(guard),
                                             handler = std::move(handler)]() mutable {
            auto result = store->perform(work);
            boost::asio::post(guard.get_executor(),
                              [handler = std::move(handler), result = std::move(result)]() mutable {
                                  std::move(handler)(std::move(result));
                              });
        });
    }

  private:
    Store* store_;
    Work work_;
};

template <class Work>
auto Store::run(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, Opened&>> {
    Initiation<Work> initiation{*this, std::move(work)};
    auto result = co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                                       void(std::invoke_result_t<Work&, Opened&>)>(
        std::move(initiation), boost::asio::use_awaitable);
    co_return result;
}

template <class Work>
void Store::post(Work work) {
    boost::asio::post(worker(), [this, work = std::move(work)]() mutable {
        const auto result = perform(work);
        if (!result && failure_) failure_(result.error());
    });
}

template <class Work>
std::invoke_result_t<Work&, Store::Opened&> Store::perform(Work& work) {
    try {
        auto opened = this->opened();
        if (!opened) return opened.error();
        return work(**opened);
    } catch (const std::exception& exception) {
        return Error{ErrorKind::io, "The state directory " + path_ +
                                        " could not be worked on: " + exception.what() + "."};
    }
}

}  // namespace bgshell::store
