// start: runs a command as a job and waits a little for what comes of it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

// A call that is cancelled before its job is admitted has started nothing; later it has started a
// job whose answer is lost, and the next answer to its caller names it.
boost::asio::awaitable<Result<StartOutcome>> start_job(FrontEnd& front, Caller caller,
                                                       StartRequest request);

}  // namespace bgshell::jobs
