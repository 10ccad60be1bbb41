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
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "store/background_thread.hpp"
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

    // The error: the system has no thread to give.
    Result<boost::asio::io_context*> worker();
    Result<boost::asio::io_context*> scanner();
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
    std::optional<BackgroundThread> worker_;
    std::vector<std::function<void()>> deferred_;  // touched by the worker alone
    std::optional<boost::asio::steady_timer> again_;
    std::optional<StateDirectory> scanned_;  // touched by the scanner alone
    std::atomic<bool> scanned_removed_ = false;
    std::optional<BackgroundThread> scanner_;
};

}  // namespace bgshell::store

#include "store/store_work.hpp"
