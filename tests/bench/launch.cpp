// From launch to the first answers.
#include "bench/mcp_client.hpp"
#include "bench/table.hpp"

namespace bench {
namespace {

struct Launch {
    double initialized = 0;
    double listed = 0;
};

Launch launch(const Arguments& argv, const Arguments& environment) {
    const auto began = Clock::now();
    McpClient client{argv, environment};
    client.initialize();
    const auto initialized = Clock::now();
    client.request("tools/list", "{}");
    const auto listed = Clock::now();
    return {Seconds{initialized - began}.count(), Seconds{listed - initialized}.count()};
}

}  // namespace

void measure_launch(const Setup& setup) {
    std::vector<double> ours;
    std::vector<double> listed;
    std::vector<double> shell;
    std::vector<double> sdk;
    for (int round = 0; round < setup.rounds(100); ++round) {
        const auto one = launch(setup.server(), setup.environment("launch"));
        ours.push_back(one.initialized * 1e3);
        listed.push_back(one.listed * 1e3);
        shell.push_back(timed([] { run({"sh", "-c", ":"}); }) * 1e3);
    }
    for (int round = 0; !setup.node.empty() && round < setup.rounds(8); ++round) {
        sdk.push_back(launch({setup.node, setup.sdk_server, "1", "1"}, {}).initialized * 1e3);
    }
    print_ratio("launch to initialize", quantile(ours), "ms", quantile(shell),
                "sh -c :", Goal::at_most, 2);
    if (!sdk.empty()) {
        print_ratio("launch to initialize", quantile(ours), "ms", quantile(sdk), "SDK server",
                    Goal::at_most, 0.06);
    }
    print_value("tools/list after it", quantile(listed), "ms", Goal::at_most, 5);
}

}  // namespace bench
