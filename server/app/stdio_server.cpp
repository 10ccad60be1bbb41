#include "app/stdio_server.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <functional>
#include <string>

#include "app/command_line.hpp"
#include "app/process_setup.hpp"
#include "platform/exception_text.hpp"
#include "tools/job_line.hpp"

namespace bgshell::app {
namespace {

// A front end is gone within 50 ms, whatever its disk does; clients kill after little more. As pid
// 1 it waits for the jobs that it ends, through the grace of a polite stop.
constexpr platform::Milliseconds kTimeToLeave{45};
constexpr platform::Milliseconds kTimeToEndJobs{15'000};

std::string state_path(const jobs::Surroundings& surroundings) {
    auto path = value_of(surroundings.environment, "BGSHELL_STATE");
    if (!path.empty()) return path;
    return store::StateDirectory::default_path(value_of(surroundings.environment, "XDG_STATE_HOME"),
                                               surroundings.home);
}

tools::StructureMode structure_mode(StructuredMode mode) {
    switch (mode) {
        case StructuredMode::automatic:
            return tools::StructureMode::automatic;
        case StructuredMode::on:
            return tools::StructureMode::on;
        case StructuredMode::off:
            return tools::StructureMode::off;
    }
    return tools::StructureMode::automatic;
}

tools::ToolSettings tool_settings(const Configuration& configuration) {
    tools::ToolSettings settings;
    settings.structured = structure_mode(configuration.structured);
    settings.tool_prefix = configuration.tool_prefix;
    settings.runtime_limit_max = configuration.jobs.runtime_limit_max;
    return settings;
}

mcp::ServerInfo server_info() {
    mcp::ServerInfo info;
    info.name = "bgshell";
    info.title = "Background shell jobs";
    info.version = version();
    info.description =
        "Starts shell commands in the background, tells when they end, reads their output.";
    return info;
}

}  // namespace

StdioServer::StdioServer(const Configuration& configuration, jobs::Surroundings surroundings,
                         bool init, const Log& log)
    : log_{log},
      init_{init},
      store_{state_path(surroundings), configuration.network_store},
      manager_{loop_.get_executor(), store_, configuration.jobs, std::move(surroundings), clock_},
      toolbox_{manager_, clock_, tool_settings(configuration)},
      server_{.info = server_info(),
              .tools = toolbox_,
              .clock = clock_,
              .report = [this](const std::string& line) { log_.write(LogLevel::error, line); }},
      last_resort_{loop_},
      scope_{loop_.get_executor(), [this](std::exception_ptr failure) {
                 log_.write(LogLevel::error,
                            "ended by a fault: " + platform::exception_text(failure));
                 std::_Exit(1);
             }} {
    store_.on_failure(
        [this](const store::Error& error) { log_.write(LogLevel::warn, error.text()); });
    manager_.on_failure(
        [this](const std::string& what) { log_.write(LogLevel::error, "a task failed: " + what); });
}

StdioServer::~StdioServer() = default;

int StdioServer::run() {
    auto endpoint = transport::StdioEndpoint::open(loop_.get_executor(), server_, manager_.owner(),
                                                   STDIN_FILENO, STDOUT_FILENO);
    if (!endpoint) {
        log_.write(LogLevel::error, "cannot use stdin and stdout: " + endpoint.error().message());
        return 1;
    }
    endpoint_ = std::move(*endpoint);
    signals_.emplace(loop_.get_executor(), [this] { endpoint_->stop(); });
    if (init_) reaper_.emplace(loop_.get_executor());
    manager_.on_end([this](const jobs::JobSnapshot& job) {
        const auto level = tools::is_bad_end(job) ? mcp::LogLevel::warning : mcp::LogLevel::info;
        endpoint_->connection().announce(level,
                                         tools::job_name(job) + " " + tools::state_text(job));
    });
    scope_.spawn(serve());
    loop_.run();
    return exit_code_;
}

boost::asio::awaitable<void> StdioServer::serve() {
    std::function<void()> leave = [this] { leave_in_time(); };
    co_await endpoint_->run(std::move(leave));
    co_await manager_.close(init_);
    co_await store_.drain();
    signals_->cancel();
    if (reaper_) reaper_->cancel();
    last_resort_.cancel();
}

// Nothing is lost: keepers see their front end go by the end of its sockets, and only what was told
// and not yet noted is told again.
void StdioServer::leave_in_time() {
    last_resort_.expires_after(init_ ? kTimeToEndJobs : kTimeToLeave);
    last_resort_.async_wait([this](boost::system::error_code error) {
        if (error) return;
        log_.write(LogLevel::warn, "left before everything was written");
        std::_Exit(0);
    });
}

}  // namespace bgshell::app
