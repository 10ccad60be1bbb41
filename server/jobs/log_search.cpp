#include "jobs/log_search.hpp"

#include <utility>

#include "store/job_directory.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using platform::Instant;

namespace {

// Long enough that a line which is being written is not taken for a prompt.
constexpr Milliseconds kPromptPause{100};

enum class Line : std::uint8_t { open, quiet, ended };

// Until a match or the log's present end.
class SearchOn {
  public:
    SearchOn(JobId id, std::shared_ptr<OutputWatcher> watcher, Line line)
        : id_{std::move(id)}, watcher_{std::move(watcher)}, line_{line} {}

    // True: found before the end.
    store::Result<std::optional<bool>> operator()(const store::Store::Files& files) {
        auto directory = store::JobDirectory::open(files.state, id_);
        if (!directory) return directory.error();
        auto reader = store::LogReader::open(*directory);
        if (!reader) return reader.error();
        const auto more = watcher_->advance(*reader);
        if (!more) return store::Error{store::ErrorKind::io, more.error().text()};
        if (*more && watcher_->matches() == 0) return std::optional<bool>{};
        if (*more) return std::optional{true};
        if (line_ == Line::quiet) watcher_->quiet();
        if (line_ == Line::ended) watcher_->ended();
        return std::optional{false};
    }

  private:
    JobId id_;
    std::shared_ptr<OutputWatcher> watcher_;
    Line line_;
};

}  // namespace

Result<text::Pattern> parse_pattern(std::string_view field, const std::string& pattern) {
    auto parsed = text::Pattern::parse(pattern);
    if (auto* fault = std::get_if<text::PatternFault>(&parsed)) {
        return Error{ErrorKind::bad_argument, std::string{field} + " " + fault->rule + "."};
    }
    return std::move(std::get<text::Pattern>(parsed));
}

LogSearch::LogSearch(std::shared_ptr<Job> job, text::Pattern pattern, std::uint64_t from)
    : job_{std::move(job)}, watcher_{std::make_shared<OutputWatcher>(std::move(pattern), from)} {}

Instant LogSearch::due() const {
    const auto& level = job_->level();
    if (hit_ || finished_ || level.stored() == quiet_at_ || !level.last_output())
        return Instant::max();
    return *level.last_output() + kPromptPause;
}

asio::awaitable<void> LogSearch::advance(FrontEnd& front) {
    while (!hit_ && !finished_) {
        const auto level = job_->level().stored();
        auto line = front.clock.now() >= due() ? Line::quiet : Line::open;
        if (job_->ended()) line = Line::ended;
        // Nothing new, and the open line has been looked at.
        if (line == Line::open && watcher_->position() >= level) co_return;
        SearchOn work{job_->id(), watcher_, line};
        const auto more = co_await front.store.scan(std::move(work));
        if (watcher_->matches() > 0) hit_ = watcher_->first();
        if (more && *more) continue;
        if (line != Line::open) quiet_at_ = level;
        // A log that cannot be read is searched no more: the wait ends by its other conditions.
        finished_ = !more || line == Line::ended;
        if (job_->level().stored() == level) co_return;
    }
}

MatchReport LogSearch::report(const Look& look, Instant called, Instant now) const {
    MatchReport report;
    report.pattern_literal = watcher_->pattern_literal();
    if (hit_) {
        report.matched = true;
        report.match = hit_->match;
        report.before = hit_->before;
        report.searched = {hit_->next, hit_->match};
        const auto came = job_->level().reached(hit_->match.at);
        if (came && *came < called) {
            report.age = std::chrono::duration_cast<Milliseconds>(now - *came);
        }
    } else if (look.last_match) {
        report.shown_before = true;
        report.match = *look.last_match;
    }
    return report;
}

}  // namespace bgshell::jobs
