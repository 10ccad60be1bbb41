// bench PROGRAM SCRATCH NODE SDK_SERVER [quick] [GROUP...]: measures every figure beside its
// yardstick, or those of some groups. NODE may be empty. run.sh gives it what it needs.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "bench/table.hpp"

namespace {

// In the order of the table.
constexpr std::array<std::pair<const char*, void (*)(const bench::Setup&)>, 9> kGroups{{
    {"launch", bench::measure_launch},
    {"calls", bench::measure_calls},
    {"starts", bench::measure_starts},
    {"memory", bench::measure_memory},
    {"cancel", bench::measure_cancel},
    {"frozen", bench::measure_frozen_disk},
    {"capture", bench::measure_capture},
    {"tail", bench::measure_tail},
    {"flood", bench::measure_flood},
}};

bool is_group(const std::string& word) {
    return std::any_of(kGroups.begin(), kGroups.end(),
                       [&](const auto& group) { return word == group.first; });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) bench::fail("usage: bench PROGRAM SCRATCH NODE SDK_SERVER [quick] [GROUP...]");
    bench::Setup setup;
    setup.program = argv[1];
    setup.scratch = argv[2];
    setup.node = argv[3];
    setup.sdk_server = argv[4];
    const std::string self = argv[0];
    setup.folder = self.substr(0, self.rfind('/'));
    bench::Arguments wanted{argv + 5, argv + argc};
    if (!wanted.empty() && wanted[0] == "quick") {
        setup.quick = true;
        wanted.erase(wanted.begin());
    }
    for (const auto& word : wanted) {
        if (!is_group(word)) bench::fail("no group of figures is called " + word);
    }

    bench::print_header();
    for (const auto& [name, measure] : kGroups) {
        const bool all = wanted.empty();
        if (all || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) measure(setup);
    }
    return 0;
}
