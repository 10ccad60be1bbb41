// cancel: stops jobs with everything they started, and what ended jobs left running.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

// Ids are resolved before anything is signalled: an unknown one, or one of another owner that
// lives, refuses the whole call. Answers when every process of every job is proven gone, or with
// the survivors. A caller that goes away stops nothing of this.
boost::asio::awaitable<Result<CancelOutcome>> cancel_jobs(FrontEnd& front, Caller caller,
                                                          CancelRequest request);

// Ends all jobs of this owner, for a front end after which nobody is left to do it; returns when
// they have ended, or some seconds after the grace.
boost::asio::awaitable<void> end_all_jobs(FrontEnd& front);

}  // namespace bgshell::jobs
