// The test program is its own keeper: spawn_keeper runs /proc/self/exe.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "keeper/keeper_main.hpp"
#include "keeper/spawn_keeper.hpp"

// A keeper has no stderr for reports: one with a data race must die, so that its test fails.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
    return "halt_on_error=1";
}

int main(int argc, char** argv) {
    if (argc > 0 && argv[0] == bgshell::keeper::kKeeperName) {
        return bgshell::keeper::keeper_main();
    }
    return doctest::Context{argc, argv}.run();
}
