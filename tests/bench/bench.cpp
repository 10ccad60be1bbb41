// bench PROGRAM SCRATCH NODE SDK_SERVER [quick]: measures every figure beside its yardstick. NODE
// may be empty. run.sh gives it what it needs.
#include <cstdio>
#include <string>

#include "bench/table.hpp"

int main(int argc, char** argv) {
    if (argc < 5) bench::fail("usage: bench PROGRAM SCRATCH NODE SDK_SERVER [quick]");
    bench::Setup setup;
    setup.program = argv[1];
    setup.scratch = argv[2];
    setup.node = argv[3];
    setup.sdk_server = argv[4];
    setup.quick = argc > 5;
    const std::string self = argv[0];
    setup.folder = self.substr(0, self.rfind('/'));

    bench::print_header();
    bench::measure_launch(setup);
    bench::measure_calls(setup);
    bench::measure_starts(setup);
    bench::measure_memory(setup);
    bench::measure_cancel(setup);
    bench::measure_frozen_disk(setup);
    bench::measure_capture(setup);
    return 0;
}
