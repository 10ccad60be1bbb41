// The keeper program. Runs before any library is started and any thread exists.
#pragma once

namespace bgshell::keeper {

// Never takes arguments: everything comes over the birth socket, which is descriptor 3
// (kBirthDescriptor). The first thing it does is to fork; the parent leaves at once with status 0,
// and the child is the keeper. Does not return in the child: it leaves by _exit.
[[nodiscard]] int keeper_main();

}  // namespace bgshell::keeper
