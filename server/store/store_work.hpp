// How a Store hands work over to its threads and back: the bodies of its templates. Included by
// store.hpp.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "store/store.hpp"

namespace bgshell::store {

// Work on the worker, whose result is given to `done` there.
template <class Work, class Done>
struct Store::Task {
    using Clock = std::chrono::steady_clock;
    void operator()() {
        // Behind those that wait already: what it changes may be theirs.
        const bool may_wait = !store->leaving_ && Clock::now() < until;
        if (may_wait && !store->deferred_.empty()) return try_again();
        auto result = store->perform(work);
        const bool locked = !result && result.error().kind() == ErrorKind::busy;
        if (locked && may_wait) return try_again();
        done(std::move(result));
        store->checkpoint();
    }
    void try_again() {
        store->defer([again = std::make_shared<Task>(std::move(*this))] { (*again)(); });
    }

    Store* store;
    Work work;
    Done done;
    Clock::time_point until;  // tried while the registry is locked
};

// Starts the asynchronous operation behind `run`.
template <class Work>
class Store::Initiation {
  public:
    Initiation(Store& store, Work work, Patience patience)
        : store_{&store}, work_{std::move(work)}, patience_{patience} {}

    template <class Handler>
    void operator()(Handler handler) {
        // The guard keeps the caller's loop running while only the worker is busy for it.
        auto guard = boost::asio::make_work_guard(boost::asio::get_associated_executor(handler));
        ++store_->unfinished_;
        auto done = [store = store_, guard = std::move(guard),
                     handler = std::move(handler)](auto result) mutable {
            --store->unfinished_;
            boost::asio::post(guard.get_executor(),
                              [handler = std::move(handler), result = std::move(result)]() mutable {
                                  std::move(handler)(std::move(result));
                              });
        };
        store_->ask(std::move(work_), std::move(done), patience_);
    }

  private:
    Store* store_;
    Work work_;
    Patience patience_;
};

// One call of a scanning work; gives way to others as long as it is not done.
template <class Work, class Handler>
struct Store::Turn {
    void operator()() {
        auto result = store->take_turn(work);
        if (result && !*result) {
            auto next = std::move(*this);
            boost::asio::post(next.store->scanner_->loop(), std::move(next));
            return;
        }
        finish(result ? Scanned<Work>{std::move(**result)} : result.error());
    }
    void finish(Scanned<Work> scanned) {
        boost::asio::post(guard.get_executor(),
                          [handler = std::move(handler), scanned = std::move(scanned)]() mutable {
                              std::move(handler)(std::move(scanned));
                          });
    }

    using Guard = decltype(boost::asio::make_work_guard(
        boost::asio::get_associated_executor(std::declval<const Handler&>())));
    Store* store;
    Work work;
    Guard guard;
    Handler handler;
};

// Starts the asynchronous operation behind `scan`.
template <class Work>
class Store::ScanInitiation {
  public:
    ScanInitiation(Store& store, Work work) : store_{&store}, work_{std::move(work)} {}

    template <class Handler>
    void operator()(Handler handler) {
        auto guard = boost::asio::make_work_guard(boost::asio::get_associated_executor(handler));
        Turn<Work, Handler> turn{store_, std::move(work_), std::move(guard), std::move(handler)};
        const auto scanner = store_->scanner();
        if (!scanner) return turn.finish(scanner.error());
        boost::asio::post(**scanner, std::move(turn));
    }

  private:
    Store* store_;
    Work work_;
};

// Work that is done at its first turn.
template <class Work>
struct Store::OneTurn {
    using Found = std::invoke_result_t<Work&, const Files&>;
    Result<std::optional<typename Found::value_type>> operator()(const Files& files) {
        auto found = work(files);
        if (!found) return found.error();
        return std::optional{std::move(*found)};
    }
    Work work;
};

template <class Work>
auto Store::run(Work work, Patience patience)
    -> boost::asio::awaitable<std::invoke_result_t<Work&, Opened&>> {
    Initiation<Work> initiation{*this, std::move(work), patience};
    auto result = co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                                       void(std::invoke_result_t<Work&, Opened&>)>(
        std::move(initiation), boost::asio::use_awaitable);
    co_return result;
}

template <class Work>
auto Store::read(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, Opened&>> {
    if (auto found = try_read(work)) co_return std::move(*found);
    auto result = co_await run(std::move(work), Patience::none);
    if (result) expect_reads();
    co_return result;
}

template <class Work>
auto Store::view(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, const Files&>> {
    if (auto found = try_view(work)) co_return std::move(*found);
    OneTurn<Work> once{std::move(work)};
    auto result = co_await scan(std::move(once));
    if (result) expect_reads();
    co_return result;
}

template <class Work>
auto Store::scan(Work work) -> boost::asio::awaitable<Scanned<Work>> {
    ScanInitiation<Work> initiation{*this, std::move(work)};
    auto result = co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                                       void(Scanned<Work>)>(
        std::move(initiation), boost::asio::use_awaitable);
    co_return result;
}

template <class Work>
void Store::post(Work work) {
    ++unfinished_;
    auto done = [this](const auto& result) {
        --unfinished_;
        if (!result && failure_) failure_(result.error());
    };
    ask(std::move(work), std::move(done), Patience::waits);
}

template <class Work>
void Store::post_aside(Work work) {
    auto done = [this](const auto& result) {
        if (!result && failure_) failure_(result.error());
    };
    ask(std::move(work), std::move(done), Patience::waits);
}

template <class Work, class Done>
void Store::ask(Work work, Done done, Patience patience) {
    const auto worker = this->worker();
    if (!worker) return done(std::invoke_result_t<Work&, Opened&>{worker.error()});
    auto until = std::chrono::steady_clock::now();
    if (patience == Patience::waits) until += kLockPatience;
    boost::asio::post(**worker, Task<Work, Done>{this, std::move(work), std::move(done), until});
}

template <class Work>
std::invoke_result_t<Work&, Store::Opened&> Store::perform(Work& work) {
    using Result = std::invoke_result_t<Work&, Opened&>;
    auto result = fenced([&]() -> Result {
        auto opened = this->opened();
        if (!opened) return opened.error();
        return work(**opened);
    });
    note_hindrance();
    return result;
}

template <class Work>
std::optional<std::invoke_result_t<Work&, Store::Opened&>> Store::try_read(Work& work) {
    Opened* const reader = this->reader();
    if (reader == nullptr) return std::nullopt;
    auto found = fenced([&] { return work(*reader); });
    if (!found) return std::nullopt;
    return found;
}

template <class Work>
std::optional<std::invoke_result_t<Work&, const Store::Files&>> Store::try_view(Work& work) {
    if (!reader_there_.load(std::memory_order_acquire)) return std::nullopt;
    const Files files{reader_->state, Patience::none};
    auto found = fenced([&] { return work(files); });
    if (!found) return std::nullopt;
    return found;
}

template <class Work>
std::invoke_result_t<Work&, const Store::Files&> Store::take_turn(Work& work) {
    return fenced([&]() -> std::invoke_result_t<Work&, const Files&> {
        auto state = scanned();
        if (!state) return state.error();
        const Files files{**state, Patience::waits};
        return work(files);
    });
}

template <class Call>
std::invoke_result_t<const Call&> Store::fenced(const Call& call) {
    try {
        return call();
    } catch (const std::exception& exception) {
        return Error{ErrorKind::io, "The state directory " + path_ +
                                        " could not be worked on: " + exception.what() + "."};
    }
}

}  // namespace bgshell::store
