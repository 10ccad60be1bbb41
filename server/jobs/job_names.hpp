// Job names: what a caller may call a job: its id, or a title that means exactly one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/front_end.hpp"

namespace bgshell::jobs {

enum class Titles : std::uint8_t { accepted, refused };

// The job of that id; else the one running job of this owner with that title, else the only one
// with it that the caller may see. Errors (unknown_job) name what was asked for and what there is.
boost::asio::awaitable<Result<std::shared_ptr<Job>>> find_job(FrontEnd& front, std::string name,
                                                              Titles titles);

// Each once, in the order given; the error of the first that is none.
boost::asio::awaitable<Result<std::vector<std::shared_ptr<Job>>>> find_jobs(
    FrontEnd& front, std::vector<std::string> names, Titles titles);

// Jobs of this owner that run, newest first.
[[nodiscard]] std::vector<std::shared_ptr<Job>> running_jobs(const FrontEnd& front);

}  // namespace bgshell::jobs
