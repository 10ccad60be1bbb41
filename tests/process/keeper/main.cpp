// The test program is its own keeper: spawn_keeper runs /proc/self/exe.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "keeper/keeper_main.hpp"
#include "keeper/spawn_keeper.hpp"

int main(int argc, char** argv) {
    if (argc > 0 && argv[0] == bgshell::keeper::kKeeperName) {
        return bgshell::keeper::keeper_main();
    }
    return doctest::Context{argc, argv}.run();
}
