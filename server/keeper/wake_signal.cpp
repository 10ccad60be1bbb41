#include "keeper/wake_signal.hpp"

#include <sys/eventfd.h>

namespace bgshell::keeper {

platform::Outcome<WakeSignal> WakeSignal::create() {
    platform::UniqueFd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (!event) return platform::last_error();
    return WakeSignal{std::move(event)};
}

// Neither can fail in a way that matters: a counter at its maximum, or at zero, is what is wanted.
void WakeSignal::give() const noexcept {
    (void)::eventfd_write(event_.get(), 1);
}

void WakeSignal::clear() const noexcept {
    eventfd_t count = 0;
    (void)::eventfd_read(event_.get(), &count);
}

}  // namespace bgshell::keeper
