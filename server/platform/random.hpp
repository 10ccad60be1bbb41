// Random bytes from the kernel's CSPRNG, for identifiers and tokens.
#pragma once

#include <cstddef>
#include <span>

namespace bgshell::platform {

// Fills `bytes` by getrandom(2), which blocks only before the kernel's pool is first seeded. Throws
// boost::system::system_error where the kernel has no getrandom: an identifier that can be guessed
// is worse than none.
void fill_random(std::span<std::byte> bytes);

}  // namespace bgshell::platform
