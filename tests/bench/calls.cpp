// Small calls, big replies, and how soon an end is told.
#include <optional>

#include "bench/mcp_client.hpp"
#include "bench/table.hpp"

namespace bench {
namespace {

constexpr std::size_t kLarge = 32'000;

double call_us(McpClient& client, const std::string& tool, const std::string& arguments) {
    return timed([&] { client.call(tool, arguments); }) * 1e6;
}

constexpr std::size_t kInARow = 20;

// What the same call takes with each client, some calls in a row. Each comes
// first, and after each other one, as often: who was before leaves the processor's caches to it.
std::vector<std::vector<double>> call_all(const std::vector<McpClient*>& clients, int rounds,
                                          const std::string& tool, const std::string& arguments) {
    std::vector<std::vector<double>> taken(clients.size());
    for (std::size_t round = 0; round * kInARow < static_cast<std::size_t>(rounds); ++round) {
        for (std::size_t turn = 0; turn < clients.size(); ++turn) {
            const std::size_t step = round % 2 == 0 ? turn : clients.size() - turn;
            const std::size_t which = (round / 2 + step) % clients.size();
            for (std::size_t call = 0; call < kInARow; ++call) {
                taken[which].push_back(call_us(*clients[which], tool, arguments));
            }
        }
    }
    return taken;
}

void print_calls(const std::string& figure, const std::vector<std::vector<double>>& taken,
                 double echo) {
    print_ratio(figure, quantile(taken[0]), "us", quantile(taken[1]), "C++ echo", Goal::at_most,
                echo);
    if (taken.size() > 2) {
        print_ratio(figure, quantile(taken[0]), "us", quantile(taken[2]), "SDK server",
                    Goal::at_most, 0.35);
    }
}

void measure_end(const Setup& setup, McpClient& client) {
    const std::string file = setup.scratch + "/stamp";
    const Arguments stamp{setup.folder + "/writer", "stamp", file};
    std::vector<double> told;
    std::vector<double> waited;
    const auto since_stamp = [&] {
        const auto now = Clock::now().time_since_epoch();
        return static_cast<double>(std::chrono::nanoseconds{now}.count() -
                                   std::stoll(read_file(file))) /
               1e3;
    };
    for (int round = 0; round < setup.rounds(100); ++round) {
        const auto started = client.call("start", R"({"wait_s":0,"command":"sleep 0.05; exec )" +
                                                      stamp[0] + " stamp " + file + "\"}");
        client.call("await", R"({"wait_s":10,"ids":[")" + job_id(started) + "\"]}");
        told.push_back(since_stamp());
        run(stamp);
        waited.push_back(since_stamp());
    }
    print_ratio("end of a job to the await's answer", quantile(told), "us", quantile(waited),
                "waitpid", Goal::at_most, 3);
    print_value("the same, p99", quantile(told, 0.99) / 1e3, "ms", Goal::at_most, 5);
}

}  // namespace

void measure_calls(const Setup& setup) {
    McpClient ours{setup.server(), setup.environment("calls", {"BGSHELL_STRUCTURED=off"})};
    ours.initialize();
    const auto ended = ours.call(
        "start", R"({"wait_s":10,"command":"head -c 32000 /dev/zero | tr '\\0' x | fold -w 99"})");
    const auto id = job_id(ended);
    const std::string large = R"({"id":")" + id + R"(","from":0,"max_bytes":32000})";
    const auto list_size = ours.call("list", "{}").size();

    // The yardsticks answer as many bytes as we do; 60 are the frame around the text.
    const Arguments sizes{std::to_string(list_size - 60), std::to_string(kLarge)};
    McpClient echo{{setup.folder + "/echo_server", sizes[0], sizes[1]}, {}};
    std::optional<McpClient> sdk;
    if (!setup.node.empty()) {
        sdk.emplace(Arguments{setup.node, setup.sdk_server, sizes[0], sizes[1]}, Arguments{});
        sdk->initialize();
    }
    std::vector<McpClient*> clients{&ours, &echo};
    if (sdk) clients.push_back(&*sdk);
    print_calls("small call (list), p50", call_all(clients, setup.rounds(4000), "list", "{}"), 3);
    print_calls("32,000-byte reply (output), p50",
                call_all(clients, setup.rounds(2000), "output", large), 2.5);
    measure_end(setup, ours);
}

}  // namespace bench
