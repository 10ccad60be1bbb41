#include "jobs/log_views.hpp"

#include <sys/stat.h>

#include <utility>

#include "jobs/log_search.hpp"
#include "jobs/view_builder.hpp"
#include "store/job_directory.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using Opened = store::Store::Opened;

namespace {

store::Error from_view(const Error& error) {
    return {store::ErrorKind::io, error.text()};
}

// Calls make(ViewBuilder&), which gives a Result<T>, on the log of a job. Runs on the worker.
template <class Make>
auto with_view(Opened& opened, const JobId& id, bool growing, store::Stream stream,
               const Make& make)
    -> store::Result<typename std::invoke_result_t<const Make&, ViewBuilder&>::value_type> {
    auto directory = store::JobDirectory::open(opened.state, id);
    if (!directory) return directory.error();
    auto reader = store::LogReader::open(*directory);
    if (!reader) return reader.error();
    auto builder = ViewBuilder::open(*reader, growing, stream);
    if (!builder) return from_view(builder.error());
    auto made = make(*builder);
    if (!made) return from_view(made.error());
    return std::move(*made);
}

bool is_growing(const Job& job) {
    return !job.ended() || job.leftover_count() > 0;
}

// From the log's own size and time of writing.
struct LogState {
    std::uint64_t size = 0;
    platform::WallTime written{};
};

LogState log_state(Opened& opened, const JobId& id) {
    struct stat facts {};
    const auto directory = store::JobDirectory::open(opened.state, id);
    if (!directory || ::fstatat(directory->fd(), "log", &facts, AT_SYMLINK_NOFOLLOW) != 0)
        return {};
    using std::chrono::nanoseconds;
    const std::chrono::sys_time<nanoseconds> written{std::chrono::seconds{facts.st_mtim.tv_sec} +
                                                     nanoseconds{facts.st_mtim.tv_nsec}};
    return {static_cast<std::uint64_t>(facts.st_size),
            std::chrono::floor<platform::Milliseconds>(written)};
}

}  // namespace

asio::awaitable<Result<OutputView>> view_since_look(FrontEnd& front, Caller caller,
                                                    std::shared_ptr<Job> job,
                                                    std::uint32_t max_bytes) {
    const auto look = front.look(caller, *job);
    auto work = [id = job->id(), growing = is_growing(*job), look, max_bytes](Opened& opened) {
        return with_view(opened, id, growing, store::Stream::both,
                         [&](ViewBuilder& builder) { return builder.since(look, max_bytes); });
    };
    auto view = co_await front.store.run(std::move(work));
    if (!view) co_return to_error(view.error());
    co_return std::move(*view);
}

asio::awaitable<Result<OutputView>> view_as_asked(FrontEnd& front, Caller caller,
                                                  std::shared_ptr<Job> job, OutputRequest request) {
    std::optional<text::Pattern> pattern;
    if (request.grep) {
        auto parsed = parse_pattern("grep", *request.grep);
        if (!parsed) co_return parsed.error();
        pattern = std::move(*parsed);
    }
    const auto look = front.look(caller, *job);
    auto work = [id = job->id(), growing = is_growing(*job), look, pattern = std::move(pattern),
                 request = std::move(request)](Opened& opened) {
        const auto make = [&](ViewBuilder& builder) -> Result<OutputView> {
            const auto max = request.max_bytes;
            const auto from = request.from.value_or(0);
            if (pattern) return builder.grep(*pattern, request.context_lines, max, from);
            if (request.tail_lines) return builder.tail(*request.tail_lines, max, from);
            if (from > 0) return builder.onward(from, max);
            if (request.from || request.stream_given) return builder.whole(0, max);
            return builder.since(look, max);
        };
        return with_view(opened, id, growing, request.stream, make);
    };
    auto view = co_await front.store.run(std::move(work));
    if (!view) co_return to_error(view.error());
    co_return std::move(*view);
}

asio::awaitable<std::string> last_line(FrontEnd& front, std::shared_ptr<Job> job) {
    if (job->level().stored() == 0) co_return std::string{};
    auto work = [id = job->id(), growing = is_growing(*job)](Opened& opened) {
        return with_view(opened, id, growing, store::Stream::both,
                         [](ViewBuilder& builder) { return builder.last_line(); });
    };
    auto line = co_await front.store.run(std::move(work));
    co_return line ? std::move(*line) : std::string{};
}

asio::awaitable<std::string> last_lines(FrontEnd& front, std::shared_ptr<Job> job,
                                        std::uint64_t from, std::uint32_t count) {
    constexpr std::size_t kLineBytes = 200;
    auto work = [id = job->id(), growing = is_growing(*job), from, count](Opened& opened) {
        const auto make = [&](ViewBuilder& builder) {
            return builder.tail(count, count * kLineBytes, from);
        };
        return with_view(opened, id, growing, store::Stream::both, make);
    };
    auto view = co_await front.store.run(std::move(work));
    co_return view ? std::move(view->text) : std::string{};
}

asio::awaitable<std::vector<std::uint64_t>> count_lines(FrontEnd& front,
                                                        std::vector<LineQuestion> questions) {
    const auto asked = questions.size();
    using Counts = std::vector<std::uint64_t>;
    auto work = [questions = std::move(questions)](Opened& opened) -> store::Result<Counts> {
        Counts counts;
        for (const auto& question : questions) {
            const auto make = [&](ViewBuilder& builder) {
                return builder.count_lines(question.range.from, question.range.to);
            };
            const auto lines = with_view(opened, question.job, true, store::Stream::both, make);
            counts.push_back(lines ? lines->count : 0);
        }
        return counts;
    };
    auto counts = co_await front.store.run(std::move(work));
    co_return counts ? std::move(*counts) : Counts(asked, 0);
}

asio::awaitable<void> refresh_levels(FrontEnd& front, std::vector<std::shared_ptr<Job>> jobs) {
    const auto is_followed = [](const auto& job) { return job->ended() || job->link() != nullptr; };
    std::erase_if(jobs, is_followed);
    if (jobs.empty()) co_return;
    std::vector<JobId> ids;
    for (const auto& job : jobs) ids.push_back(job->id());
    auto work = [ids = std::move(ids)](Opened& opened) -> store::Result<std::vector<LogState>> {
        std::vector<LogState> states;
        for (const auto& id : ids) states.push_back(log_state(opened, id));
        return states;
    };
    const auto states = co_await front.store.run(std::move(work));
    if (!states) co_return;
    const auto now = front.clock.now();
    const auto wall = front.clock.wall();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto& state = (*states)[i];
        jobs[i]->observe_log(state.size, now - (wall - state.written));
    }
}

}  // namespace bgshell::jobs
