#include "jobs/path_probe.hpp"

#include <utility>

#include "jobs/login_path_cache.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

PathProbe::PathProbe(asio::any_io_executor executor, store::Store& store, const Settings& settings,
                     const Surroundings& surroundings, const platform::Clock& clock)
    : executor_{std::move(executor)},
      store_{store},
      settings_{settings},
      surroundings_{surroundings},
      clock_{clock} {}

asio::awaitable<LoginPath> PathProbe::get() {
    if (!settings_.login_path) co_return LoginPath{};
    Waiter waiter{executor_, clock_};
    waiter.listen(answered_);
    // The question has its own limit. Whoever asks it may be cancelled: then the next one asks.
    while (asking_) co_await waiter.wait_until(platform::Instant::max());
    if (!answer_) {
        const Asking asking{*this};
        answer_ = co_await ask();
    }
    co_return *answer_;
}

asio::awaitable<LoginPath> PathProbe::ask() {
    const auto question = login_path_question(surroundings_);
    if (!question) co_return LoginPath{};
    auto load = [question = *question,
                 now = clock_.wall()](store::Store::Opened& opened) -> store::Result<Kept> {
        return load_login_path(opened.state.root_fd(), question, now);
    };
    auto kept = co_await store_.run(std::move(load));
    if (kept && *kept) co_return std::move(**kept);

    auto answer = co_await ask_login_path(*question);
    auto save = [question = *question, answer,
                 now = clock_.wall()](store::Store::Opened& opened) -> store::Result<void> {
        const auto error = save_login_path(opened.state.root_fd(), question, answer, now);
        if (!error) return {};
        return store::Error{store::ErrorKind::io,
                            "The login PATH could not be kept: " + error.message() + ".",
                            error.value()};
    };
    store_.post(std::move(save));
    co_return answer;
}

}  // namespace bgshell::jobs
