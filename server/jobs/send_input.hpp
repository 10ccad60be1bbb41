// send: types into a job with an open stdin, waits for what comes of it, sets a new runtime limit.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

boost::asio::awaitable<Result<SendOutcome>> send_input(FrontEnd& front, Caller caller,
                                                       SendRequest request);

}  // namespace bgshell::jobs
