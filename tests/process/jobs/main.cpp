// The test program is its own keeper: ForkServer runs /proc/self/exe.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "keeper/fork_server.hpp"
#include "keeper/keeper_main.hpp"

int main(int argc, char** argv) {
    if (argc > 0 && argv[0] == bgshell::keeper::kKeeperName) {
        bgshell::keeper::keeper_main();
    }
    return doctest::Context{argc, argv}.run();
}
