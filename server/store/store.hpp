// Store: the registry and the state directory behind a worker thread, so that a slow disk never
// blocks the loop. Work is done in the order in which it was asked for; what finds the registry
// locked by another process lets others go first and is tried again. Logs are read by a second one,
// the scanner: a search of a big log holds up neither a start nor a list, and no checkpoint of the
// registry holds up a look at a log. Used by one thread.
//
// Handing work over and back costs two wake-ups of a thread, which is most of what a small call
// would take. So what only reads is done at once by the caller's thread, through a second
// connection, where it need not wait for anything: no work is under way whose effect it could miss,
// and a reader of a WAL never waits for a writer. What it reads are pages of one small file that is
// in use, in SQLite's cache or the kernel's; on a network file system, where neither holds, it is
// always the worker's.
#pragma once

#include <atomic>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "store/patience.hpp"
#include "store/registry.hpp"
#include "store/state_directory.hpp"

namespace bgshell::store {

// How long work that finds the registry locked by another process is tried again.
inline constexpr std::chrono::seconds kLockPatience{5};

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
    // work). `work` is moved into the worker before this suspends: name it, then move it in; after
    // ErrorKind::busy it may be called again. Not cancellable: a cancelled caller still waits for
    // its work, which is short unless the registry is locked.
    template <class Work>
    auto run(Work work, Patience patience = Patience::waits)
        -> boost::asio::awaitable<std::invoke_result_t<Work&, Opened&>>;

    // The same, without patience, for work that writes nothing that it cannot do without and needs
    // only moments: done before this suspends where that is possible (see above). `work` may then
    // be called a second time, on the worker: it is given a read-only registry first, and any error
    // of it but the worker's is dropped.
    template <class Work>
    auto read(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, Opened&>>;

    // The job directories, for work that only reads them.
    struct Files {
        const StateDirectory& state;
        Patience patience;
    };
    // Runs `work(const Files&)`, which gives a Result<T>: before this suspends where the kernel has
    // in memory what it looks at and that is little, else on the scanner. It may be called twice,
    // like that of `read`: first without patience.
    template <class Work>
    auto view(Work work) -> boost::asio::awaitable<std::invoke_result_t<Work&, const Files&>>;

    // Runs `work(const Files&)`, which gives a Result<std::optional<T>>, on the scanner until it
    // gives something, and resumes the caller with the Result<T>. Each time it gives nothing others
    // have their turn, so it should come back after some milliseconds.
    template <class Work>
    using Scanned =
        Result<typename std::invoke_result_t<Work&, const Files&>::value_type::value_type>;
    template <class Work>
    auto scan(Work work) -> boost::asio::awaitable<Scanned<Work>>;

    // `run` for work whose result nobody waits for; a failure is given to the failure handler.
    template <class Work>
    void post(Work work);
    // `post` for work whose effect no `read` asks for: none waits for it.
    template <class Work>
    void post_aside(Work work);
    // Makes ready, after what was asked for before, what lets `read` and `view` do without the
    // worker; they ask for it themselves the first time.
    void expect_reads();
    // Returns when all that was posted before has been done, or waits for a lock of the registry;
    // nobody else waits for it.
    boost::asio::awaitable<void> drain();
    // Lets a state directory go that somebody has removed since it was opened: the next work makes
    // a new one, with an empty registry. Whether it was removed.
    boost::asio::awaitable<bool> let_go_if_removed();

    // Why what was to be written last is not in the registry, where that may pass.
    enum class Hindrance : std::uint8_t { none, locked, full };
    [[nodiscard]] Hindrance hindrance() const noexcept { return hindrance_; }

    // Called on the worker with the error of a posted work. Set before the first work.
    void on_failure(std::function<void(const Error&)> handler);

  private:
    template <class Work, class Done>
    struct Task;
    template <class Work>
    class Initiation;
    template <class Work>
    class ScanInitiation;
    template <class Work, class Handler>
    struct Turn;
    template <class Work>
    struct OneTurn;

    boost::asio::thread_pool& worker();
    boost::asio::thread_pool& scanner();
    Result<Opened*> opened();
    Result<void> open();
    Result<void> take_in();  // what earlier front ends left
    Result<const StateDirectory*> scanned();
    template <class Work, class Done>
    void ask(Work work, Done done, Patience patience);
    // On the worker.
    template <class Work>
    std::invoke_result_t<Work&, Opened&> perform(Work& work);
    void note_hindrance();
    // On the caller's thread; nullopt: it has to be the worker.
    template <class Work>
    std::optional<std::invoke_result_t<Work&, Opened&>> try_read(Work& work);
    template <class Work>
    std::optional<std::invoke_result_t<Work&, const Files&>> try_view(Work& work);
    // On the scanner.
    template <class Work>
    std::invoke_result_t<Work&, const Files&> take_turn(Work& work);
    // The fence that no exception passes.
    template <class Call>
    std::invoke_result_t<const Call&> fenced(const Call& call);
    // On the worker: what the registry was locked for is done again soon, with all others of it.
    void defer(std::function<void()> task);
    // Null: not now.
    [[nodiscard]] Opened* reader();
    // On the worker, when those who wait for its work have been told: it syncs the disk.
    void checkpoint();
    void open_reader();

    std::string path_;
    bool allow_network_;
    std::optional<Opened> opened_;  // touched by the worker alone
    bool removed_ = false;          // likewise: to be opened anew
    bool taken_in_ = false;         // likewise
    std::function<void(const Error&)> failure_;
    std::atomic<bool> reader_asked_ = false;  // cleared by the worker where it cannot be opened
    unsigned reads_until_asked_ = 0;          // again, after such a failure
    std::atomic<bool> reader_there_ = false;  // from then on `reader_` is the caller's thread's
    std::optional<Opened> reader_;
    std::atomic<std::size_t> unfinished_ = 0;  // works that were asked for
    std::atomic<Hindrance> hindrance_ = Hindrance::none;
    std::atomic<bool> leaving_ = false;  // nothing is deferred any more
    std::optional<boost::asio::thread_pool> worker_;
    std::vector<std::function<void()>> deferred_;  // touched by the worker alone
    std::optional<boost::asio::steady_timer> again_;
    std::optional<StateDirectory> scanned_;  // touched by the scanner alone
    std::atomic<bool> scanned_removed_ = false;
    std::optional<boost::asio::thread_pool> scanner_;
};

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
            boost::asio::post(next.store->scanner(), std::move(next));
            return;
        }
        Scanned<Work> scanned = result ? Scanned<Work>{std::move(**result)} : result.error();
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
        boost::asio::post(store_->scanner(), std::move(turn));
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
    auto until = std::chrono::steady_clock::now();
    if (patience == Patience::waits) until += kLockPatience;
    boost::asio::post(worker(), Task<Work, Done>{this, std::move(work), std::move(done), until});
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
