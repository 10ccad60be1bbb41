// Patience: how work treats a disk that is slow, and a registry that another process has locked.
#pragma once

#include <cstdint>

namespace bgshell::store {

enum class Patience : std::uint8_t {
    waits,  // for a lock kLockPatience (store.hpp)
    // For a lock only an instant. Takes what the kernel has in memory, and little of it; anything
    // else is an error, after which the same is asked for with patience. With one exception: a
    // job's index is opened even if the kernel cannot tell from memory whether there is one. That
    // may wait for a disk, but only for one look-up, in a directory whose log was just found in
    // memory; reading it never waits.
    none,
};

}  // namespace bgshell::store
