// await: waits until jobs end, match, fall silent, or for a time.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

boost::asio::awaitable<Result<AwaitOutcome>> await_jobs(FrontEnd& front, Caller caller,
                                                        AwaitRequest request);

}  // namespace bgshell::jobs
