// The program of keepers and of the fork server that makes them. Runs before any library is started
// and any thread exists.
#pragma once

namespace bgshell::keeper {

// Never takes arguments: everything comes over descriptor 3 (kRequestsDescriptor). Forks a keeper
// for the request that waits there, then the fork server for those that follow, and leaves. So
// whoever kills a front end's tree reaches none of them.
[[noreturn]] void keeper_main();

}  // namespace bgshell::keeper
