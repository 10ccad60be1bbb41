#include "bench/table.hpp"

#include <cstdio>

namespace bench {
namespace {

bool met(double measured, Goal goal, double bound) {
    return goal == Goal::at_most ? measured <= bound : measured >= bound;
}

std::string bound_text(Goal goal, double bound) {
    char text[32];
    std::snprintf(text, sizeof text, "%s %.4g", goal == Goal::at_most ? "<=" : ">=", bound);
    return text;
}

void print_line(const std::string& figure, const std::string& value, const std::string& yardstick,
                const std::string& ratio, const std::string& goal, const char* verdict) {
    std::printf("%-46s %14s  %-34s %8s  %-9s %s\n", figure.c_str(), value.c_str(),
                yardstick.c_str(), ratio.c_str(), goal.c_str(), verdict);
    std::fflush(stdout);
}

std::string number(double value, const std::string& unit) {
    char text[64];
    std::snprintf(text, sizeof text, "%.4g %s", value, unit.c_str());
    return text;
}

}  // namespace

Arguments Setup::environment(const std::string& name, const Arguments& more) const {
    Arguments settings{"BGSHELL_STATE=" + scratch + "/" + name, "BGSHELL_SLOTS=256",
                       "BGSHELL_SLOTS_TOTAL=512", "BGSHELL_ORPHAN_GRACE_S=0",
                       "BGSHELL_SHELL_PATH=/bin/bash"};
    // A job reserves its whole output limit: room for as many as run at once here.
    settings.push_back("BGSHELL_DISK_BUDGET_BYTES=20000000000");
    settings.insert(settings.begin(), more.begin(), more.end());
    return settings;
}

void print_header() {
    print_line("figure", "bgshell", "yardstick", "ratio", "goal", "");
}

void print_ratio(const std::string& figure, double value, const std::string& unit, double yardstick,
                 const std::string& against, Goal goal, double bound) {
    const double ratio = value / yardstick;
    print_line(figure, number(value, unit), number(yardstick, unit) + " " + against,
               number(ratio, "x"), bound_text(goal, bound),
               met(ratio, goal, bound) ? "met" : "MISSED");
}

void print_value(const std::string& figure, double value, const std::string& unit, Goal goal,
                 double bound) {
    print_line(figure, number(value, unit), "", "", bound_text(goal, bound),
               met(value, goal, bound) ? "met" : "MISSED");
}

}  // namespace bench
