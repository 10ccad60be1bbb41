// Following a job: the coroutines that hear what its keeper says, keep the registry in step, make
// its notices, and settle it when the keeper is gone. They run in the front end's scope.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>

#include "jobs/front_end.hpp"

namespace bgshell::jobs {

// Puts a job with a connected link on the table and follows it: until its keeper closes the
// connection, which for a keeper in order is when nothing of the job lives any more.
void follow(FrontEnd& front, std::shared_ptr<Job> job);

// A running job of another front end: connects to its keeper and follows it, so that its end is
// heard and its input, limit and cancel work. If nobody lives behind it any more it is settled. A
// keeper that cannot be reached leaves the job as its row says.
boost::asio::awaitable<std::shared_ptr<Job>> attach(FrontEnd& front, std::shared_ptr<Job> job);

// A keeper that has not answered for so long may be stopped itself, by its job.
inline constexpr Milliseconds kKeeperLook{500};
// Continues a keeper that is stopped.
void wake_keeper(FrontEnd& front, const Job& job);

}  // namespace bgshell::jobs
