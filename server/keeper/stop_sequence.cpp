#include "keeper/stop_sequence.hpp"

#include <csignal>

namespace bgshell::keeper {

using platform::Instant;
using platform::Milliseconds;

void StopSequence::request(int signal, Milliseconds grace, Instant now) {
    if (auto* killing = std::get_if<Killing>(&state_)) {
        killing->next = now;
        return;
    }
    if (signal == SIGKILL || lingering()) {
        state_ = Killing{.since = now, .next = now};
        return;
    }
    if (auto* polite = std::get_if<Polite>(&state_)) {
        polite->kill_at = std::min(polite->kill_at, now + grace);
        polite->send = polite->send || signal != signal_;
    } else {
        state_ = Polite{.kill_at = now + grace, .send = true};
    }
    signal_ = signal;
}

StopSequence::Step StopSequence::due(Instant now) const noexcept {
    if (const auto* polite = std::get_if<Polite>(&state_)) {
        if (polite->send) return Step::polite;
        return now >= polite->kill_at ? Step::kill : Step::none;
    }
    const auto at = wake();
    return at && now >= *at ? Step::kill : Step::none;
}

std::optional<Instant> StopSequence::wake() const noexcept {
    if (const auto* polite = std::get_if<Polite>(&state_)) return polite->kill_at;
    if (const auto* killing = std::get_if<Killing>(&state_)) return killing->next;
    if (const auto* lingering_state = std::get_if<Lingering>(&state_)) return lingering_state->next;
    return std::nullopt;
}

void StopSequence::polite_sent() noexcept {
    if (auto* polite = std::get_if<Polite>(&state_)) polite->send = false;
}

void StopSequence::pass_done(std::size_t alive, std::size_t refused, Instant now) noexcept {
    if (std::holds_alternative<Polite>(state_)) state_ = Killing{.since = now, .next = now};
    const bool all_refused = alive > 0 && refused == alive;
    if (auto* killing = std::get_if<Killing>(&state_)) {
        if (!all_refused && now - killing->since < kKilling) {
            killing->next = now + kPass;
            return;
        }
    }
    state_ = Lingering{.next = now + (all_refused ? kRefusedRetry : kRetry)};
}

void StopSequence::hurry(Instant now) noexcept {
    if (auto* killing = std::get_if<Killing>(&state_)) killing->next = now;
}

}  // namespace bgshell::keeper
