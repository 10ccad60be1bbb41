// StopSequence: when which signal is due while a job is being stopped. A state machine without any
// signal in it; ProcessKiller sends them.
//
// Polite: the signal once, then up to the grace. Killing: SIGKILL in passes until nothing is left
// or two seconds have passed. Lingering: the survivors are known; SIGKILL is repeated, each second
// while some of them can still be signalled, else each ten.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>

#include "platform/clock.hpp"

namespace bgshell::keeper {

class StopSequence {
  public:
    static constexpr platform::Milliseconds kPass{1};
    static constexpr platform::Milliseconds kKilling{2000};
    static constexpr platform::Milliseconds kRetry{1000};
    static constexpr platform::Milliseconds kRefusedRetry{10000};

    enum class Step { none, polite, kill };

    // Stops, or hastens a stop under way: the earlier deadline holds, and a signal that was already
    // sent is not sent again (to many programs a second SIGINT means "at once"). SIGKILL has no
    // grace.
    void request(int signal, platform::Milliseconds grace, platform::Instant now);
    // What is to be done now, and when to ask again if nothing happens.
    [[nodiscard]] Step due(platform::Instant now) const noexcept;
    [[nodiscard]] std::optional<platform::Instant> wake() const noexcept;
    [[nodiscard]] int polite_signal() const noexcept { return signal_; }

    void polite_sent() noexcept;
    // A pass of SIGKILL found so many processes alive, of which `refused` may not be signalled.
    void pass_done(std::size_t alive, std::size_t refused, platform::Instant now) noexcept;
    // A process has ended: a look is worth while.
    void hurry(platform::Instant now) noexcept;
    void nothing_left() noexcept { state_ = Idle{}; }

    [[nodiscard]] bool active() const noexcept { return !std::holds_alternative<Idle>(state_); }
    // The survivors are known.
    [[nodiscard]] bool lingering() const noexcept {
        return std::holds_alternative<Lingering>(state_);
    }

  private:
    struct Idle {};
    struct Polite {
        platform::Instant kill_at;
        bool send;
    };
    struct Killing {
        platform::Instant since;
        platform::Instant next;
    };
    struct Lingering {
        platform::Instant next;
    };
    std::variant<Idle, Polite, Killing, Lingering> state_;
    int signal_ = 0;
};

}  // namespace bgshell::keeper
