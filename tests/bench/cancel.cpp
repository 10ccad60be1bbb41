// Stopping a job with everything it started.
#include <algorithm>

#include "bench/mcp_client.hpp"
#include "bench/table.hpp"

namespace bench {
namespace {

// Twenty processes: plain children, children in sessions of their own, daemons by double fork, all
// deaf to SIGTERM, and one line of processes that fork and exit every 2 ms.
constexpr auto kTree =
    R"(trap '' TERM; for i in 1 2 3 4 5 6; do sleep 300 & setsid sleep 300 & (setsid sleep 300 &) ; done; )"
    R"(run() { sleep 0.002; (setsid bash -c \"$(declare -f run); run\" &) ; exit; }; export -f run; )"
    R"((setsid bash -c run &); echo up; wait)";

constexpr double kGraceMs = 200;

}  // namespace

void measure_cancel(const Setup& setup) {
    McpClient client{setup.server(), setup.environment("cancel")};
    client.initialize();
    std::vector<double> taken;
    int survivors = 0;
    for (int round = 0; round < setup.rounds(20); ++round) {
        const auto started = client.call(
            "start", std::string{R"({"wait_s":10,"wait_for":"up","command":")"} + kTree + "\"}");
        const auto id = job_id(started);
        const auto arguments = R"({"grace_s":0.2,"ids":[")" + id + "\"]}";
        taken.push_back(timed([&] { client.call("cancel", arguments); }) * 1e3 - kGraceMs);
        survivors += processes_with("BGSHELL_JOB_ID=" + id);
    }
    print_value("cancel of a deaf tree of 20: survivors", survivors, "", Goal::at_most, 0);
    print_value("the same, after the grace, p50", quantile(taken), "ms", Goal::at_most, 50);
    print_value("the same, max", *std::max_element(taken.begin(), taken.end()), "ms", Goal::at_most,
                50);
}

}  // namespace bench
