// Views of a job's log, made on the store's scanner where the log is large or its disk slow
// (Store::view).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/front_end.hpp"
#include "jobs/requests.hpp"
#include "jobs/view.hpp"

namespace bgshell::jobs {

// What is new since the caller's last look, the middle cut out to fit; nothing new: the last lines
// again.
boost::asio::awaitable<Result<OutputView>> view_since_look(FrontEnd& front, Caller caller,
                                                           std::shared_ptr<Job> job,
                                                           std::uint32_t max_bytes);

// What an `output` asks for; without any of its arguments the view since the last look.
boost::asio::awaitable<Result<OutputView>> view_as_asked(FrontEnd& front, Caller caller,
                                                         std::shared_ptr<Job> job,
                                                         OutputRequest request);

// The last line that is not blank, at most 200 characters, and the last `count` lines behind
// `from`; cleaned. Empty also if they cannot be read: they are a courtesy of answers that say
// something else.
boost::asio::awaitable<std::string> last_line(FrontEnd& front, std::shared_ptr<Job> job);
boost::asio::awaitable<std::string> last_lines(FrontEnd& front, std::shared_ptr<Job> job,
                                               std::uint64_t from, std::uint32_t count);

struct LineQuestion {
    JobId job;
    store::Range range;
};
// How many lines end in each range, not empty; unset where they cannot be read, or not be counted
// in reasonable time.
using LineCounts = std::vector<std::optional<std::uint64_t>>;
boost::asio::awaitable<LineCounts> count_lines(FrontEnd& front,
                                               std::vector<LineQuestion> questions);

// Brings the level of jobs of which no keeper tells it, running ones that are not followed here and
// lost ones, to the size of their logs.
boost::asio::awaitable<void> refresh_levels(FrontEnd& front,
                                            std::vector<std::shared_ptr<Job>> jobs);

}  // namespace bgshell::jobs
