// Locks that say who lives: flock(2) belongs to the open file description, so it is inherited with
// the descriptor and ends with the last process that holds it, in whatever pid namespace that is.
#pragma once

#include "platform/outcome.hpp"

namespace bgshell::platform {

// Takes the exclusive lock on the file behind `fd` if nobody has one, without waiting. True: it is
// ours until every copy of the descriptor is closed. False: somebody else has it.
[[nodiscard]] Outcome<bool> try_lock(int fd);

// Whether somebody has the exclusive lock. `fd` must be opened for this question: on a copy of the
// holder's own descriptor it would answer false and end the lock. Holds a shared lock for the
// moment of the asking: a try_lock in that moment fails although nobody lives, so a caller of
// try_lock takes false for "not now", never for a proof.
[[nodiscard]] Outcome<bool> is_locked(int fd);

}  // namespace bgshell::platform
