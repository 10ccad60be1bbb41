// Output on its way to the log: throughput, the cost of a flood, and reading a big log.
#include <algorithm>

#include "bench/mcp_client.hpp"
#include "bench/table.hpp"

namespace bench {
namespace {

constexpr double kBytes = 400e6;

// What a job must be able to store here; the flood has a log that rolls, and goes on longer than it
// is measured (to 64 times its limit).
const Arguments kRoomy{"BGSHELL_OUTPUT_LIMIT_BYTES=2000000000"};
const Arguments kRolling{"BGSHELL_OUTPUT_LIMIT_BYTES=1000000000"};

std::string start_arguments(const std::string& command, int wait_s) {
    return R"({"wait_s":)" + std::to_string(wait_s) + R"(,"command":")" + command + "\"}";
}

void remove_job(McpClient& client, const std::string& id) {
    client.call("cancel", R"({"remove":true,"ids":[")" + id + "\"]}");
}

// Seconds of a whole job that prints `kBytes`.
double through_job(McpClient& client, const std::string& command) {
    std::string answer;
    const double seconds =
        timed([&] { answer = client.call("start", start_arguments(command, 50)); });
    if (answer.find("succeeded") == std::string::npos) fail(command + ": " + answer.substr(0, 400));
    remove_job(client, job_id(answer));
    return seconds;
}

double into_file(const Setup& setup, const std::string& command) {
    const std::string file = setup.scratch + "/direct";
    const double seconds = timed([&] { run({"bash", "-c", command + " > " + file}); });
    run({"rm", "-f", file});
    return seconds;
}

void measure_writer(const Setup& setup, McpClient& client, const std::string& name,
                    const std::string& command, double bound) {
    std::vector<double> ours;
    std::vector<double> direct;
    // The first round makes the machine touch its memory, and is dropped.
    for (int round = -1; round < setup.rounds(5); ++round) {
        const double here = through_job(client, command);
        const double there = into_file(setup, command);
        if (round < 0) continue;
        ours.push_back(kBytes / 1e6 / here);
        direct.push_back(kBytes / 1e6 / there);
    }
    print_ratio("capture, " + name, quantile(ours), "MB/s", quantile(direct), "> file",
                Goal::at_least, bound);
}

// CPU of the keeper per GB of output.
double keeper_cost(McpClient& client, const std::string& command) {
    const auto answer =
        client.call("start", start_arguments(command + "; echo over >&2; sleep 20", 0));
    const auto keeper = parent_of(static_cast<pid_t>(number_after(answer, "pid ")));
    const auto id = job_id(answer);
    client.call("await", R"({"wait_s":50,"wait_for":"^over$","ids":[")" + id + "\"]}");
    const double cpu = cpu_seconds(keeper);
    client.call("cancel", R"({"grace_s":0,"ids":[")" + id + "\"]}");
    remove_job(client, id);
    return cpu / (kBytes / 1e9);
}

std::vector<double> list_times(McpClient& client, int calls) {
    std::vector<double> taken;
    for (int call = 0; call < calls; ++call) {
        taken.push_back(timed([&] { client.call("list", "{}"); }) * 1e3);
    }
    return taken;
}

}  // namespace

void measure_flood(const Setup& setup) {
    McpClient client{setup.server(), setup.environment("flood", kRolling)};
    client.initialize();
    const auto idle = list_times(client, setup.rounds(2000));
    const auto answer = client.call("start", start_arguments("exec cat /dev/zero", 0));
    const auto id = job_id(answer);
    const auto flooded = list_times(client, setup.rounds(2000));
    // Without any call: what the flood alone costs.
    const auto produced = [&] {
        return static_cast<double>(
            number_after(client.call("list", R"({"ids":[")" + id + "\"]}"), "\"bytes_produced\":"));
    };
    const double bytes_before = produced();
    const double cpu_before = cpu_seconds(client.pid());
    run({"sleep", "2"});
    const double cpu = cpu_seconds(client.pid()) - cpu_before;
    const double gigabytes = (produced() - bytes_before) / 1e9;
    if (gigabytes <= 0) fail("the flood is over: " + client.call("list", "{}"));
    remove_job(client, id);
    print_value("front end in a flood, CPU per GB", cpu / gigabytes, "s", Goal::at_most, 0.05);
    print_ratio("list in a flood, p50", quantile(flooded), "ms", quantile(idle), "idle",
                Goal::at_most, 2);
    print_value("list in a flood, max", *std::max_element(flooded.begin(), flooded.end()), "ms",
                Goal::at_most, 20);
}

void measure_tail(const Setup& setup) {
    McpClient client{setup.server(), setup.environment("capture", kRoomy)};
    client.initialize();
    const auto times_of = [&](const std::string& bytes) {
        const auto answer = client.call(
            "start",
            start_arguments("yes 0123456789abcdef0123456789abcdef | head -c " + bytes, 50));
        const auto id = job_id(answer);
        const std::string tail = R"({"max_bytes":32000,"tail_lines":1000,"id":")" + id + "\"}";
        std::vector<double> taken;
        for (int round = 0; round < setup.rounds(400); ++round) {
            taken.push_back(timed([&] { client.call("output", tail); }) * 1e3);
        }
        remove_job(client, id);
        return quantile(taken);
    };
    const double big = times_of("1G");
    print_ratio("tail of 32,000 bytes from 1 GB", big, "ms", times_of("1M"), "from 1 MB",
                Goal::at_most, 1.5);
}

void measure_capture(const Setup& setup) {
    McpClient client{setup.server(), setup.environment("capture", kRoomy)};
    client.initialize();
    const std::string writer = setup.folder + "/writer";
    measure_writer(setup, client, "head -c 400M /dev/zero", "head -c 400000000 /dev/zero", 0.75);
    measure_writer(setup, client, "64 KiB writes", writer + " blocks 6104", 0.4);
    const std::string lines = writer + " lines 4123711";
    measure_writer(setup, client, "a write a line", lines, 1);
    print_value("keeper CPU per GB, a write a line", keeper_cost(client, lines), "s", Goal::at_most,
                1.5);
}

}  // namespace bench
