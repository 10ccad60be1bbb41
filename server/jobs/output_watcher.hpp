// OutputWatcher: looks for a pattern in a job's output while it grows, without I/O of its own
// beyond reading the log. Whoever owns it calls `advance` when the log grew, `quiet` when it has
// been silent for a moment, `ended` when no more comes. Memory is bounded.
//
// Blocking reads; used on the store's scanner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/line_finder.hpp"
#include "jobs/view.hpp"
#include "store/log_reader.hpp"
#include "text/line_search.hpp"
#include "text/pattern.hpp"

namespace bgshell::jobs {

class OutputWatcher {
  public:
    // Some milliseconds even where every byte has to be cleaned.
    static constexpr std::uint64_t kMaxStep = std::uint64_t{256} * 1024;

    // Looks at what lies at `from` and behind it: 0 for all of the output.
    OutputWatcher(text::Pattern pattern, std::uint64_t from);

    // Reads what came, kMaxStep at most. True: there is more to read at once.
    [[nodiscard]] Result<bool> advance(store::LogReader& reader);
    // The line that has not ended counts as it stands: a prompt has no newline. Its end will not
    // count again.
    void quiet();
    // Like quiet, for good.
    void ended();

    struct Hit {
        Match match;
        std::vector<std::string> before;  // up to 2 lines before it
        std::uint64_t next = 0;           // where a later watch begins: behind the matched line
    };
    [[nodiscard]] std::uint64_t matches() const noexcept { return search_.total(); }
    [[nodiscard]] std::optional<Hit> first() const;
    // How far the log has been read.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
    [[nodiscard]] bool pattern_literal() const noexcept { return literal_; }

  private:
    bool literal_;
    bool begun_ = false;
    bool fresh_ = false;  // something came since the open line was last looked at
    std::uint64_t position_;
    LineFinder finder_;  // of the line at `from`
    text::LineSearch search_;
};

}  // namespace bgshell::jobs
