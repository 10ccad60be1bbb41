// output: what a job has printed, without waiting.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

boost::asio::awaitable<Result<OutputOutcome>> show_output(FrontEnd& front, Caller caller,
                                                          OutputRequest request);

}  // namespace bgshell::jobs
