#include "store/store.hpp"

#include <system_error>
#include <utility>

#include "platform/clock.hpp"
#include "store/settle.hpp"

namespace bgshell::store {
namespace {

// What keeps the second connection from being opened (no descriptor is left, say) may pass.
constexpr unsigned kReadsUntilAskedAgain = 16;
// Between two tries to write a registry that is locked.
constexpr std::chrono::milliseconds kLockPause{50};

Result<boost::asio::io_context*> loop_of(std::optional<BackgroundThread>& thread) {
    try {
        if (!thread) thread.emplace();
        return &thread->loop();
    } catch (const std::system_error& error) {
        return Error{ErrorKind::io,
                     "No thread could be started: " + error.code().message() +
                         ". End some processes, or raise their limit (ulimit -u).",
                     error.code().value()};
    }
}

}  // namespace

Store::Store(std::string path, bool allow_network)
    : path_{std::move(path)}, allow_network_{allow_network} {}

Store::~Store() {
    if (scanner_) scanner_->join();
    if (!worker_) return;
    leaving_ = true;
    boost::asio::post(worker_->loop(), [this] {
        if (again_) again_->cancel();
    });
    worker_->join();
}

void Store::on_failure(std::function<void(const Error&)> handler) {
    failure_ = std::move(handler);
}

Result<boost::asio::io_context*> Store::worker() {
    return loop_of(worker_);
}

Result<boost::asio::io_context*> Store::scanner() {
    return loop_of(scanner_);
}

Result<const StateDirectory*> Store::scanned() {
    if (scanned_removed_.exchange(false)) scanned_.reset();
    if (scanned_) return &*scanned_;
    auto state = StateDirectory::open(path_, allow_network_);
    if (!state) return state.error();
    return &scanned_.emplace(std::move(*state));
}

boost::asio::awaitable<void> Store::drain() {
    if (worker_) co_await boost::asio::post(worker_->loop(), boost::asio::use_awaitable);
}

boost::asio::awaitable<bool> Store::let_go_if_removed() {
    auto look = [this](Opened& opened) -> Result<bool> {
        removed_ = opened.state.is_removed();
        return removed_;
    };
    const auto removed = co_await run(std::move(look));
    if (!removed || !*removed) co_return false;
    if (reader_there_.exchange(false)) {
        reader_.reset();
        reader_asked_ = false;
        reads_until_asked_ = 0;
    }
    scanned_removed_ = true;
    co_return true;
}

Result<Store::Opened*> Store::opened() {
    if (std::exchange(removed_, false)) opened_.reset();
    if (!opened_) {
        if (auto made = open(); !made) return made.error();
        taken_in_ = false;
    }
    if (!taken_in_) {
        const auto taken = take_in();
        // A registry that cannot be written now can be read; the next work tries again.
        if (!taken && !taken.error().may_pass()) {
            opened_.reset();
            return taken.error();
        }
        taken_in_ = taken.has_value();
    }
    return &*opened_;
}

Result<void> Store::open() {
    auto state = StateDirectory::open(path_, allow_network_);
    if (!state) return state.error();
    Registry::Options options;
    options.network = allow_network_;
    auto registry = Registry::open(state->registry_path(), options);
    if (!registry) return registry.error();
    opened_.emplace(Opened{std::move(*state), std::move(*registry)});
    return {};
}

Result<void> Store::take_in() {
    auto& [state, registry] = *opened_;
    // File times are compared with now, so this is the system's clock and no other.
    auto taken = store::take_in(state, *registry, platform::SystemClock{}.wall());
    if (!taken) return taken.error();
    return bury_owners(state, *registry);
}

void Store::note_hindrance() {
    const auto* const found = opened_ ? &opened_->registry->hindrance() : nullptr;
    auto hindrance = Hindrance::none;
    if (found != nullptr && *found) {
        hindrance = (*found)->kind() == ErrorKind::busy ? Hindrance::locked : Hindrance::full;
    }
    hindrance_ = hindrance;
}

void Store::defer(std::function<void()> task) {
    deferred_.push_back(std::move(task));
    if (deferred_.size() > 1) return;
    if (!again_) again_.emplace(worker_->loop());
    again_->expires_after(kLockPause);
    again_->async_wait([this](boost::system::error_code) {  // at its time, or as we leave
        for (const auto& again : std::exchange(deferred_, {})) again();
    });
}

Store::Opened* Store::reader() {
    if (!reader_there_.load(std::memory_order_acquire)) return nullptr;
    return unfinished_.load(std::memory_order_acquire) == 0 ? &*reader_ : nullptr;
}

void Store::checkpoint() {
    if (opened_) opened_->registry->checkpoint_if_due();
}

void Store::expect_reads() {
    if (allow_network_ || reader_asked_.load(std::memory_order_acquire)) return;
    if (reads_until_asked_ > 0) {
        --reads_until_asked_;
        return;
    }
    const auto worker = this->worker();
    if (!worker) return;
    reader_asked_ = true;
    reads_until_asked_ = kReadsUntilAskedAgain;
    boost::asio::post(**worker, [this] { open_reader(); });
}

// A registry that cannot be opened twice is read by the worker, like everything else.
void Store::open_reader() {
    const auto opened = fenced([this]() -> Result<void> {
        auto state = StateDirectory::open(path_, allow_network_);
        if (!state) return state.error();
        auto registry = Registry::open_reader(state->registry_path());
        if (!registry) return registry.error();
        reader_.emplace(Opened{std::move(*state), std::move(*registry)});
        reader_there_.store(true, std::memory_order_release);
        return {};
    });
    if (!opened) reader_asked_.store(false, std::memory_order_release);
}

}  // namespace bgshell::store
