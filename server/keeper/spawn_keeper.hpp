// Starting a keeper, for front ends. The keeper is this same program, run under another name.
#pragma once

#include <string_view>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

// argv[0] of a keeper: main calls keeper_main, before anything else, when it sees this name.
inline constexpr std::string_view kKeeperName = "bgshell-keeper";

// Starts a keeper and returns the front end's end of its birth socket (messages.hpp), non-blocking.
// The keeper waits there for `hello` and `start`, and leaves when the socket closes before. It is
// no child of ours: it forks and its parent, which is waited for here (some milliseconds), leaves
// at once, so that whoever kills our tree does not reach it.
[[nodiscard]] platform::Outcome<platform::UniqueFd> spawn_keeper();

}  // namespace bgshell::keeper
