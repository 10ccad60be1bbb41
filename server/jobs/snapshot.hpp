// Snapshots: a job as it is now, for one caller.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "jobs/front_end.hpp"
#include "jobs/outcomes.hpp"

namespace bgshell::jobs {

// From memory alone: without the count of unread lines, and not knowing which owners have gone.
[[nodiscard]] JobSnapshot snapshot(const FrontEnd& front, const Caller& caller, const Job& job);

// Of which jobs an answer says how many lines are unread.
enum class CountLines : std::uint8_t { of_running, of_all };

// The same of several, in order, with unread lines counted and the levels of jobs that are not
// followed here refreshed.
boost::asio::awaitable<std::vector<JobSnapshot>> full_snapshots(
    FrontEnd& front, Caller caller, std::vector<std::shared_ptr<Job>> jobs,
    CountLines count = CountLines::of_running);
boost::asio::awaitable<JobSnapshot> full_snapshot(FrontEnd& front, Caller caller,
                                                  std::shared_ptr<Job> job,
                                                  CountLines count = CountLines::of_running);

}  // namespace bgshell::jobs
