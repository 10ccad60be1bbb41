// Caller: who is asking. The owner is the front end (stdio) or the token (HTTP); a caller is an
// owner, plus the conversation where the client names one (several may share one server). Looks and
// notices belong to callers.
#pragma once

#include <compare>
#include <string>

namespace bgshell::jobs {

struct Caller {
    std::string owner;
    std::string conversation;  // empty: the client names none

    // The key of looks and offers in the registry.
    [[nodiscard]] std::string key() const {
        return conversation.empty() ? owner : owner + "/" + conversation;
    }
    friend auto operator<=>(const Caller&, const Caller&) = default;
};

}  // namespace bgshell::jobs
