// Starting jobs: one, and many at once; what they cost in memory.
#include <thread>

#include "bench/mcp_client.hpp"
#include "bench/table.hpp"

namespace bench {
namespace {

const std::string kEcho = R"({"wait_s":10,"command":"echo x"})";
const std::string kTrue = R"({"wait_s":10,"command":"true"})";

double bare_ms() {
    return timed([] { run({"bash", "-c", "echo x"}); }) * 1e3;
}

// Jobs a second, `width` of them at once, through the server.
double rate_ours(McpClient& client, int jobs, int width) {
    int sent = 0;
    const double seconds = timed([&] {
        for (; sent < width; ++sent) client.send("tools/call", call_params("start", kTrue));
        for (int ended = 0; ended < jobs; ++ended) {
            const auto answer = client.receive();
            if (answer.find("succeeded") == std::string::npos) fail("true: " + answer);
            if (sent++ < jobs) client.send("tools/call", call_params("start", kTrue));
        }
    });
    return jobs / seconds;
}

double rate_bare(int jobs, int width) {
    std::vector<pid_t> running;
    const double seconds = timed([&] {
        for (int started = 0; started < jobs; ++started) {
            if (static_cast<int>(running.size()) == width) {
                wait_for(running.front());
                running.erase(running.begin());
            }
            running.push_back(spawn({"bash", "-c", "true"}));
        }
        for (const auto pid : running) wait_for(pid);
    });
    return jobs / seconds;
}

}  // namespace

void measure_starts(const Setup& setup) {
    std::vector<double> cold;
    std::vector<double> warm;
    std::vector<double> bare;
    // The first server asks the login shell for PATH and caches the answer; its figures are
    // dropped.
    for (int round = -1; round < setup.rounds(40); ++round) {
        McpClient client{setup.server(), setup.environment("starts")};
        client.initialize();
        const double first = timed([&] { client.call("start", kEcho); }) * 1e3;
        if (round < 0) continue;
        cold.push_back(first);
        for (int again = 0; again < 3; ++again) {
            // An agent thinks between two calls; the spare keeper is made meanwhile.
            std::this_thread::sleep_for(std::chrono::milliseconds{30});
            warm.push_back(timed([&] { client.call("start", kEcho); }) * 1e3);
            bare.push_back(bare_ms());
        }
    }
    print_ratio("start echo, cold, to its end", quantile(cold), "ms", quantile(bare),
                "posix_spawn+wait", Goal::at_most, 2);
    print_ratio("start echo, warm spare, to its end", quantile(warm), "ms", quantile(bare),
                "posix_spawn+wait", Goal::at_most, 1.4);

    McpClient client{setup.server(), setup.environment("starts")};
    client.initialize();
    client.call("start", kEcho);
    for (const int width : {8, 64}) {
        std::vector<double> ours;
        std::vector<double> yardstick;
        for (int round = 0; round < setup.rounds(4); ++round) {
            ours.push_back(rate_ours(client, 200, width));
            yardstick.push_back(rate_bare(200, width));
        }
        print_ratio("jobs a second, " + std::to_string(width) + " at once", quantile(ours), "/s",
                    quantile(yardstick), "posix_spawn+wait", Goal::at_least, 0.5);
    }
}

void measure_memory(const Setup& setup) {
    McpClient client{setup.server(), setup.environment("memory")};
    client.initialize();
    client.request("tools/list", "{}");
    print_value("front end, idle, resident", memory_kb(client.pid(), "Rss") / 1024, "MB",
                Goal::at_most, 10);
    std::vector<double> keepers;
    for (int job = 0; job < 100; ++job) {
        const auto answer = client.call("start", R"({"wait_s":0,"command":"exec sleep 300"})");
        const auto shell = static_cast<pid_t>(number_after(answer, "pid "));
        if (shell == 0) fail("no pid: " + answer);
        keepers.push_back(static_cast<double>(parent_of(shell)));
    }
    std::vector<double> memory;
    for (const double keeper : keepers)
        memory.push_back(memory_kb(static_cast<pid_t>(keeper), "Pss"));
    print_value("keeper, one of 100, proportional", quantile(memory), "kB", Goal::at_most, 200);
}

}  // namespace bench
