// A keeper in the static program: before the constructors of static objects, which are those of the
// front end's libraries. They are a quarter of what starting a keeper takes, and half of the memory
// that it touches before its first line; it uses none of them. Not in a dynamic program, where this
// would come before the libraries that the keeper does use are ready.
#include "keeper/fork_server.hpp"
#include "keeper/keeper_main.hpp"

namespace {

void become_keeper(int argc, char** argv, char** /*environment*/) {
    if (argc > 0 && argv[0] == bgshell::keeper::kKeeperName) {
        bgshell::keeper::keeper_main();
    }
}

// glibc calls these before the other constructors.
[[gnu::section(".preinit_array"), gnu::used]] void (*const first)(int, char**,
                                                                  char**) = become_keeper;

}  // namespace
