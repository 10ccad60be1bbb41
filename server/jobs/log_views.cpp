#include "jobs/log_views.hpp"

#include <sys/stat.h>

#include <atomic>
#include <boost/asio/this_coro.hpp>
#include <utility>

#include "jobs/line_counter.hpp"
#include "jobs/log_grep.hpp"
#include "jobs/log_search.hpp"
#include "jobs/view_builder.hpp"
#include "store/job_directory.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using Files = store::Store::Files;

namespace {

store::Error from_view(const Error& error) {
    return {store::ErrorKind::io, error.text()};
}

store::Result<store::LogReader> open_log(const Files& files, const JobId& id) {
    const auto directory = store::JobDirectory::open(files.state, id, files.patience);
    if (!directory) return directory.error();
    return store::LogReader::open(*directory, files.patience);
}

// Calls make(ViewBuilder&), which gives a Result<T>, on the log of a job.
template <class Make>
auto with_view(const Files& files, const JobId& id, KnownLog known, store::Stream stream,
               const Make& make)
    -> store::Result<typename std::invoke_result_t<const Make&, ViewBuilder&>::value_type> {
    auto reader = open_log(files, id);
    if (!reader) return reader.error();
    auto builder = ViewBuilder::open(*reader, known, stream);
    if (!builder) return from_view(builder.error());
    auto made = make(*builder);
    if (!made) return from_view(made.error());
    return std::move(*made);
}

KnownLog known_log(const Job& job) {
    return {!job.ended() || job.leftover_count() > 0, job.level().stored()};
}

// From the log's own size and time of writing.
struct LogState {
    std::uint64_t size = 0;
    platform::WallTime written{};
};

LogState log_state(const Files& files, const JobId& id) {
    struct stat facts {};
    const auto directory = store::JobDirectory::open(files.state, id);
    if (!directory || ::fstatat(directory->fd(), "log", &facts, AT_SYMLINK_NOFOLLOW) != 0)
        return {};
    using std::chrono::nanoseconds;
    const std::chrono::sys_time<nanoseconds> written{std::chrono::seconds{facts.st_mtim.tv_sec} +
                                                     nanoseconds{facts.st_mtim.tv_nsec}};
    return {static_cast<std::uint64_t>(facts.st_size),
            std::chrono::floor<platform::Milliseconds>(written)};
}

// A step of a search on the scanner.
class SearchWork {
  public:
    using Stopped = std::shared_ptr<std::atomic<bool>>;
    SearchWork(JobId id, LogGrep::Question question, Stopped stopped)
        : id_{std::move(id)}, question_{std::move(question)}, stopped_{std::move(stopped)} {}

    store::Result<std::optional<OutputView>> operator()(const Files& files) {
        if (*stopped_) return store::Error{store::ErrorKind::io, "The search was cancelled."};
        if (!grep_) {
            auto reader = open_log(files, id_);
            if (!reader) return reader.error();
            auto opened = LogGrep::open(std::move(*reader), question_);
            if (!opened) return from_view(opened.error());
            grep_ = std::make_unique<LogGrep>(std::move(*opened));
        }
        const auto more = grep_->step();
        if (!more) return from_view(more.error());
        if (*more) return std::optional<OutputView>{};
        return std::optional{grep_->view()};
    }

  private:
    JobId id_;
    LogGrep::Question question_;
    Stopped stopped_;  // nobody waits for the answer any more
    std::unique_ptr<LogGrep> grep_;
};

asio::awaitable<Result<OutputView>> search(FrontEnd& front, std::shared_ptr<Job> job,
                                           OutputRequest request) {
    auto pattern = parse_pattern("grep", *request.grep);
    if (!pattern) co_return pattern.error();
    LogGrep::Question question{std::move(*pattern),      request.context_lines, request.max_bytes,
                               request.from.value_or(0), known_log(*job),       request.stream};
    auto stopped = std::make_shared<std::atomic<bool>>(false);
    // The scan itself cannot be cancelled, so its slot is free; it is cleared when that is over.
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (auto slot = cancellation.slot(); slot.is_connected()) {
        slot.assign([stopped](asio::cancellation_type) { *stopped = true; });
    }
    SearchWork work{job->id(), std::move(question), std::move(stopped)};
    auto view = co_await front.store.scan(std::move(work));
    if (!view) co_return to_error(view.error());
    co_return std::move(*view);
}

// Counts one question after the other, a little at each turn.
class CountWork {
  public:
    struct Entry {
        LineQuestion question;
        std::shared_ptr<LineCounter> counter;
    };
    explicit CountWork(std::vector<Entry> entries)
        : entries_{std::move(entries)}, counts_(entries_.size()) {}

    store::Result<std::optional<LineCounts>> operator()(const Files& files) {
        bool counted = false;  // one log at a turn
        for (; next_ < entries_.size(); ++next_) {
            const auto& [question, counter] = entries_[next_];
            if (const auto known = counter->known(question.range)) {
                set(*known);
                continue;
            }
            if (std::exchange(counted, true)) return std::optional<LineCounts>{};
            auto reader = open_log(files, question.job);
            if (!reader) continue;
            const auto lines = counter->count(*reader, question.range);
            if (!lines) continue;
            if (!*lines) return std::optional<LineCounts>{};
            set(**lines);
        }
        return std::optional{counts_};
    }

  private:
    void set(std::uint64_t lines) {
        if (lines != LineCounter::kTooMuch) counts_[next_] = lines;
    }

    std::vector<Entry> entries_;
    LineCounts counts_;
    std::size_t next_ = 0;
};

}  // namespace

asio::awaitable<Result<OutputView>> view_since_look(FrontEnd& front, Caller caller,
                                                    std::shared_ptr<Job> job,
                                                    std::uint32_t max_bytes) {
    const auto look = front.look(caller, *job);
    auto work = [id = job->id(), known = known_log(*job), look, max_bytes](const Files& files) {
        return with_view(files, id, known, store::Stream::both,
                         [&](ViewBuilder& builder) { return builder.since(look, max_bytes); });
    };
    auto view = co_await front.store.view(std::move(work));
    if (!view) co_return to_error(view.error());
    co_return std::move(*view);
}

asio::awaitable<Result<OutputView>> view_as_asked(FrontEnd& front, Caller caller,
                                                  std::shared_ptr<Job> job, OutputRequest request) {
    if (request.grep) {
        auto found = co_await search(front, std::move(job), std::move(request));
        co_return found;
    }
    const auto look = front.look(caller, *job);
    auto work = [id = job->id(), known = known_log(*job), look,
                 request = std::move(request)](const Files& files) {
        const auto make = [&](ViewBuilder& builder) -> Result<OutputView> {
            const auto max = request.max_bytes;
            const auto from = request.from.value_or(0);
            if (request.tail_lines) return builder.tail(*request.tail_lines, max, from);
            if (from > 0) return builder.onward(from, max);
            if (request.from || request.stream_given) return builder.whole(0, max);
            return builder.since(look, max);
        };
        return with_view(files, id, known, request.stream, make);
    };
    auto view = co_await front.store.view(std::move(work));
    if (!view) co_return to_error(view.error());
    co_return std::move(*view);
}

asio::awaitable<std::string> last_line(FrontEnd& front, std::shared_ptr<Job> job) {
    if (job->level().stored() == 0) co_return std::string{};
    auto work = [id = job->id(), known = known_log(*job)](const Files& files) {
        return with_view(files, id, known, store::Stream::both,
                         [](ViewBuilder& builder) { return builder.last_line(); });
    };
    auto line = co_await front.store.view(std::move(work));
    co_return line ? std::move(*line) : std::string{};
}

asio::awaitable<std::string> last_lines(FrontEnd& front, std::shared_ptr<Job> job,
                                        std::uint64_t from, std::uint32_t count) {
    constexpr std::size_t kLineBytes = 200;
    auto work = [id = job->id(), known = known_log(*job), from, count](const Files& files) {
        const auto make = [&](ViewBuilder& builder) {
            return builder.tail(count, count * kLineBytes, from);
        };
        return with_view(files, id, known, store::Stream::both, make);
    };
    auto view = co_await front.store.view(std::move(work));
    co_return view ? std::move(view->text) : std::string{};
}

asio::awaitable<LineCounts> count_lines(FrontEnd& front, std::vector<LineQuestion> questions) {
    std::vector<CountWork::Entry> entries;
    for (auto& question : questions) {
        auto counter = front.line_counters.take(question.job);
        entries.push_back({std::move(question), std::move(counter)});
    }
    CountWork work{entries};
    auto counts = co_await front.store.scan(std::move(work));
    for (auto& entry : entries) {
        front.line_counters.put_back(entry.question.job, std::move(entry.counter));
    }
    co_return counts ? std::move(*counts) : LineCounts(entries.size());
}

asio::awaitable<void> refresh_levels(FrontEnd& front, std::vector<std::shared_ptr<Job>> jobs) {
    // The keeper of a lost job has left no word of its log either.
    const auto is_told = [](const auto& job) { return job->row().exit || job->link() != nullptr; };
    std::erase_if(jobs, is_told);
    if (jobs.empty()) co_return;
    std::vector<JobId> ids;
    for (const auto& job : jobs) ids.push_back(job->id());
    using States = std::vector<LogState>;
    auto work = [ids = std::move(ids)](const Files& files) -> store::Result<std::optional<States>> {
        States states;
        for (const auto& id : ids) states.push_back(log_state(files, id));
        return std::optional{std::move(states)};
    };
    const auto states = co_await front.store.scan(std::move(work));
    if (!states) co_return;
    const auto now = front.clock.now();
    const auto wall = front.clock.wall();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto& state = (*states)[i];
        jobs[i]->observe_log(state.size, now - (wall - state.written));
    }
}

}  // namespace bgshell::jobs
