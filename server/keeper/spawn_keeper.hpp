// Starting a keeper, for front ends. The keeper is this same program, run under another name.
#pragma once

#include <string_view>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

// argv[0] of a keeper: main calls keeper_main, before anything else, when it sees this name.
inline constexpr std::string_view kKeeperName = "bgshell-keeper";

struct SpawnedKeeper {
    // The front end's end of the birth socket (messages.hpp), non-blocking.
    platform::UniqueFd birth;
    // The keeper is no child of ours: the process that we made forks it and leaves at once, so that
    // whoever kills our tree does not reach it. This is its pidfd; the caller reaps it.
    platform::UniqueFd parent;
};

// Starts a keeper. It waits for `hello` and `start`, which may be sent at once, and leaves when the
// birth socket closes before. Returns when the program runs, about a millisecond.
[[nodiscard]] platform::Outcome<SpawnedKeeper> spawn_keeper();

}  // namespace bgshell::keeper
