// The templates of scratch_job.hpp.
#pragma once

#include <thread>

#include "process/keeper/scratch_job.hpp"

namespace bgshell::keeper::testing {

template <class Message>
std::optional<Message> Connection::poll() {
    while (receive_until(std::chrono::steady_clock::now())) {
    }
    for (auto item = received_.begin(); item != received_.end(); ++item) {
        if (auto* message = std::get_if<Message>(&*item)) {
            std::optional<Message> taken{std::move(*message)};
            received_.erase(item);
            return taken;
        }
    }
    return std::nullopt;
}

template <class Message>
Message Connection::take(std::chrono::milliseconds wait) {
    const auto deadline = std::chrono::steady_clock::now() + wait;
    for (;;) {
        if (auto message = poll<Message>()) return std::move(*message);
        if (!receive_until(deadline)) break;
    }
    FAIL("no message of the kind " << typeid(Message).name() << " arrived");
    return {};
}

template <class Condition>
void await(Condition condition, const char* what, std::chrono::milliseconds wait) {
    const auto deadline = std::chrono::steady_clock::now() + wait;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) FAIL("waited in vain: " << what);
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
}

}  // namespace bgshell::keeper::testing
