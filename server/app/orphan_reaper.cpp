#include "app/orphan_reaper.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iterator>

#include "platform/pidfd.hpp"
#include "platform/process_tree.hpp"

namespace bgshell::app {

using boost::system::error_code;

OrphanReaper::OrphanReaper(boost::asio::any_io_executor executor)
    : signals_{executor, SIGCHLD}, timer_{executor} {
    wait_for_child();
}

void OrphanReaper::cancel() {
    error_code ignored;
    signals_.cancel(ignored);
    timer_.cancel();
}

void OrphanReaper::wait_for_child() {
    signals_.async_wait([this](error_code error, int) {
        if (error) return;
        if (!waiting_) look_again();
        wait_for_child();
    });
}

// A child of our own is reaped by whoever waits for it, in the same turn of the loop or soon after.
// One that is still there at a second look is an orphan nobody waits for: so no status is stolen.
void OrphanReaper::look_again() {
    std::set<pid_t> ended;
    platform::walk_below(::getpid(), [&](const platform::ProcessFacts& process) {
        if (process.parent == ::getpid() && !process.alive()) ended.insert(process.pid);
        return true;
    });
    for (auto child = ended.begin(); child != ended.end();) {
        const bool orphan = seen_.contains(*child) &&
                            platform::reap_pid(*child, platform::Wait::not_at_all).has_value();
        child = orphan ? ended.erase(child) : std::next(child);
    }
    seen_ = std::move(ended);
    waiting_ = !seen_.empty();
    if (!waiting_) return;
    timer_.expires_after(std::chrono::milliseconds{50});
    timer_.async_wait([this](error_code error) {
        if (!error) look_again();
    });
}

}  // namespace bgshell::app
