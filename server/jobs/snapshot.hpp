// Snapshots: a job as it is now, for one caller.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <vector>

#include "jobs/front_end.hpp"
#include "jobs/outcomes.hpp"

namespace bgshell::jobs {

// From memory alone: without the count of unread lines.
[[nodiscard]] JobSnapshot snapshot(const FrontEnd& front, const Caller& caller, const Job& job);

// The same of several, in order, with the unread lines of running ones counted and the levels of
// jobs that are not followed here refreshed, on the store's worker.
boost::asio::awaitable<std::vector<JobSnapshot>> full_snapshots(
    FrontEnd& front, Caller caller, std::vector<std::shared_ptr<Job>> jobs);
boost::asio::awaitable<JobSnapshot> full_snapshot(FrontEnd& front, Caller caller,
                                                  std::shared_ptr<Job> job);

}  // namespace bgshell::jobs
