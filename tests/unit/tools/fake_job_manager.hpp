// A JobManager for tests: its members are defined in fake_job_manager.cpp, which is linked instead
// of the real ones. What it answers is set here, what it was asked is kept here.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/job_manager.hpp"

namespace bgshell::tools::samples {

struct FakeJobs {
    std::optional<jobs::Error> begin_error;
    std::function<jobs::Result<jobs::StartOutcome>(const jobs::StartRequest&)> start;
    std::function<jobs::Result<jobs::AwaitOutcome>(const jobs::AwaitRequest&)> await;
    std::function<jobs::Result<jobs::OutputOutcome>(const jobs::OutputRequest&)> output;
    jobs::NoticeBlock notices;
    std::string doubt;
    bool notices_cut_off = false;  // the call is cancelled there

    // What happened, in order: "begin NAME", "start", "notices", ...
    std::vector<std::string> calls;
    std::vector<std::int64_t> offered_rows;
    std::vector<jobs::JobManager::LookMove> offered_looks;
    std::optional<jobs::JobId> offered_start;

    // The one that all fake managers use.
    static FakeJobs& instance();
};

}  // namespace bgshell::tools::samples
