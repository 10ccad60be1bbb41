// LogSearch: looks for the first match of a pattern in what a job prints, as it prints it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "jobs/error.hpp"
#include "jobs/front_end.hpp"
#include "jobs/output_watcher.hpp"

namespace bgshell::jobs {

// A pattern of the argument `field`; the error names it and the rule.
[[nodiscard]] Result<text::Pattern> parse_pattern(std::string_view field,
                                                  const std::string& pattern);

// Copies go on together: they share how far the log has been read, so only one of them may advance.
class LogSearch {
  public:
    // Searches the job's log from `from` on.
    LogSearch(std::shared_ptr<Job> job, text::Pattern pattern, std::uint64_t from);

    // Searches what the log has gained, on the store's scanner, until a match or its present end. A
    // line that has not ended counts when the job has been silent for a moment (a prompt), or has
    // ended.
    boost::asio::awaitable<void> advance(FrontEnd& front);
    // When `advance` has something to do though nothing more comes; Instant::max(): never.
    [[nodiscard]] platform::Instant due() const;

    [[nodiscard]] bool found() const noexcept { return hit_.has_value(); }
    // What an answer says of this search, and leaves to the next; `called` is when its call came.
    [[nodiscard]] MatchReport report(const Look& look, platform::Instant called,
                                     platform::Instant now) const;

  private:
    std::shared_ptr<Job> job_;
    std::shared_ptr<OutputWatcher> watcher_;  // used by the scanner while `advance` waits for it
    std::uint64_t quiet_at_ = 0;              // the level at which the open line was looked at
    bool finished_ = false;
    std::optional<OutputWatcher::Hit> hit_;
};

}  // namespace bgshell::jobs
