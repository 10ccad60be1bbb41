// The runtime limit while the disk stands still: needs root, a loop device and fsfreeze.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "bench/mcp_client.hpp"
#include "bench/table.hpp"

namespace bench {
namespace {

constexpr double kLimitSeconds = 2;

bool works(const std::string& command) {
    // The output of mkfs and mount is of no interest; a failure leaves the figure out.
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

// Prints now and then, so that its keeper is in the middle of a write when the limit comes, and so
// that freezing is quick: it waits for what is not yet on the disk.
constexpr auto kJob =
    R"({"wait_s":0,"runtime_limit_s":2,"command":"while :; do echo x; sleep 0.02; done"})";

// Seconds from the start of the job until it is dead and reaped, the disk being frozen meanwhile.
double lifetime(const Setup& setup, const std::string& folder) {
    Setup frozen = setup;
    frozen.scratch = folder;
    McpClient client{frozen.server(), frozen.environment("state")};
    client.initialize();
    client.call("start", R"({"command":"true"})");  // the first one asks the login shell for PATH
    const auto began = Clock::now();
    const auto passed = [&] { return Seconds{Clock::now() - began}.count(); };
    const auto answer = client.call("start", kJob);
    const auto shell = static_cast<pid_t>(number_after(answer, "pid "));
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    if (!works("fsfreeze -f " + folder)) fail("fsfreeze");
    const bool in_time = passed() < kLimitSeconds && ::kill(shell, 0) == 0;
    while (::kill(shell, 0) == 0 && passed() < 20) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    const double seconds = passed();
    if (!works("fsfreeze -u " + folder)) fail("fsfreeze -u");
    if (!in_time) fail("the disk was frozen too late: " + answer);
    client.call("await", R"({"wait_s":10})");
    return seconds;
}

}  // namespace

void measure_frozen_disk(const Setup& setup) {
    const std::string image = setup.scratch + "/image";
    const std::string folder = setup.scratch + "/frozen";
    ::mkdir(folder.c_str(), 0700);
    if (::geteuid() != 0 || !works("truncate -s 512M " + image + " && mkfs.ext4 -q " + image +
                                   " && mount -o loop " + image + " " + folder)) {
        return;
    }
    const double late = lifetime(setup, folder) - kLimitSeconds;
    print_value("runtime limit on a frozen disk, late by", late, "s", Goal::at_most, 0.2);
    // The keepers that held files there leave soon.
    for (int attempt = 0; attempt < 50 && !works("umount " + folder); ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
    }
}

}  // namespace bench
