// StdioServer: a front end on stdin and stdout: everything it consists of, in the order of who uses
// whom, and its end.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>

#include "app/configuration.hpp"
#include "app/log.hpp"
#include "app/orphan_reaper.hpp"
#include "app/stop_signals.hpp"
#include "jobs/job_manager.hpp"
#include "mcp/server.hpp"
#include "platform/clock.hpp"
#include "platform/task_scope.hpp"
#include "store/store.hpp"
#include "tools/toolbox.hpp"
#include "transport/stdio_endpoint.hpp"

namespace bgshell::app {

class StdioServer {
  public:
    // `log` outlives it. As `init` (pid 1 of a container) it reaps orphans, and ends its jobs
    // itself when it ends, since nobody would be left to do so.
    StdioServer(const Configuration& configuration, jobs::Surroundings surroundings, bool init,
                const Log& log);
    ~StdioServer();
    StdioServer(const StdioServer&) = delete;
    StdioServer& operator=(const StdioServer&) = delete;

    // Serves until the client closes its end, a signal, or the death of the parent. Returns the
    // exit code.
    [[nodiscard]] int run();

  private:
    boost::asio::awaitable<void> serve();
    void leave_in_time();

    const Log& log_;
    bool init_;
    int exit_code_ = 0;
    // One thread. Declared first: everything below lives on it.
    boost::asio::io_context loop_{1};
    platform::SystemClock clock_;
    store::Store store_;
    jobs::JobManager manager_;
    tools::Toolbox toolbox_;
    mcp::Server server_;
    std::unique_ptr<transport::StdioEndpoint> endpoint_;  // null: stdin or stdout is unusable
    std::optional<StopSignals> signals_;
    std::optional<OrphanReaper> reaper_;
    boost::asio::steady_timer last_resort_;
    platform::TaskScope scope_;
};

}  // namespace bgshell::app
