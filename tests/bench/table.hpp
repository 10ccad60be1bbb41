// Table: what the benchmark prints: each figure beside its yardstick of the same run.
#pragma once

#include <string>

#include "bench/measure.hpp"

namespace bench {

// Where things are, from the command line.
struct Setup {
    std::string program;  // bgshell
    std::string folder;   // this program's: echo_server and writer lie there
    std::string scratch;  // an empty directory, removed afterwards
    std::string node;     // empty: the figures of the SDK are left out
    std::string sdk_server;
    bool quick = false;  // fewer rounds

    [[nodiscard]] int rounds(int all) const { return quick ? (all + 3) / 4 : all; }
    // Settings of a server of ours with a state directory of its own below `scratch`.
    [[nodiscard]] Arguments environment(const std::string& name, const Arguments& more = {}) const;
    [[nodiscard]] Arguments server() const { return {program, "mcp"}; }
};

// One line: `value` against `yardstick` (0: there is none); the goal is a bound on `measured`,
// which is their ratio unless the goal speaks of the value itself.
enum class Goal { at_most, at_least };
void print_header();
void print_ratio(const std::string& figure, double value, const std::string& unit, double yardstick,
                 const std::string& against, Goal goal, double bound);
void print_value(const std::string& figure, double value, const std::string& unit, Goal goal,
                 double bound);

// The groups of figures, in the order of the table.
void measure_launch(const Setup& setup);
void measure_calls(const Setup& setup);
void measure_starts(const Setup& setup);
void measure_memory(const Setup& setup);
void measure_cancel(const Setup& setup);
void measure_frozen_disk(const Setup& setup);
void measure_capture(const Setup& setup);
void measure_tail(const Setup& setup);
void measure_flood(const Setup& setup);

}  // namespace bench
