#include "jobs/show_output.hpp"

#include <utility>

#include "jobs/job_names.hpp"
#include "jobs/log_views.hpp"
#include "jobs/snapshot.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

asio::awaitable<Result<OutputOutcome>> show_output(FrontEnd& front, Caller caller,
                                                   OutputRequest request) {
    auto found = co_await find_job(front, request.id, Titles::accepted);
    if (!found) co_return found.error();
    const auto job = std::move(*found);
    if (request.stream_given && !job->row().spec.split_stderr) {
        co_return Error{ErrorKind::bad_argument,
                        "stream needs a job that was started with split_stderr: the streams of " +
                            job->id().text() + " share one pipe, in the order they were written."};
    }
    const auto looked = co_await front.load_look(caller.key(), job);
    if (!looked) co_return looked.error();
    // Where only a part is shown, line 1 says how much is unread.
    const bool peeks = request.from || request.tail_lines || request.grep || request.stream_given;
    const auto count = peeks ? CountLines::of_all : CountLines::of_running;
    auto view = co_await view_as_asked(front, caller, job, std::move(request));
    if (!view && view.error().kind() != ErrorKind::unavailable) co_return view.error();
    OutputOutcome outcome;
    if (view) {
        outcome.view = std::move(*view);
    } else {
        outcome.unreadable = true;
        outcome.facts.push_back(view.error().text());
    }
    outcome.job = co_await full_snapshot(front, std::move(caller), job, count);
    co_return outcome;
}

}  // namespace bgshell::jobs
