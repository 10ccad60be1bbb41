// list: the jobs a caller may see, or the details of some.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"

namespace bgshell::jobs {

boost::asio::awaitable<Result<ListOutcome>> list_jobs(FrontEnd& front, Caller caller,
                                                      ListRequest request);

}  // namespace bgshell::jobs
