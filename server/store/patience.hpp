// Patience: how work on files treats a disk that is slow.
#pragma once

#include <cstdint>

namespace bgshell::store {

enum class Patience : std::uint8_t {
    waits,
    // Takes what the kernel has in memory, and little of it; anything else is an error, after which
    // the same is asked for with patience.
    none,
};

}  // namespace bgshell::store
