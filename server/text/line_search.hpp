// LineSearch: finds the lines of a log that a pattern matches, fed with the raw log in pieces.
// Lines are matched and shown cleaned; positions and line numbers are those of the raw log. Keeps
// the first matches and the last ones and counts them all. Memory is bounded: a line is searched in
// parts of 1 MiB (it counts once), and what is kept is bounded by the options.
//
// Whole blocks of lines are searched at once where they hold nothing to clean and the pattern
// allows it, which is the usual case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "text/pattern.hpp"
#include "text/terminal_cleaner.hpp"

namespace bgshell::text {

struct FoundLine {
    std::uint64_t at = 0;     // byte position of the line in the log
    std::uint64_t to = 0;     // where the next one begins; of an open line: what was seen of it
    std::uint64_t line = 0;   // 1-based number, 0 if not known
    std::string text;         // cleaned, cut around the match where it is long
    bool context = false;     // a line around a match
    std::uint64_t group = 0;  // the match it belongs to, counted from 1
};

class LineSearch {
  public:
    struct Options {
        // What is kept, counted in bytes as written (json_size of the text and its position). The
        // first matches end where one does not fit; of those behind them the last ones that fit
        // stay, and the very last one in any case.
        std::size_t first_bytes = 6000;
        std::size_t last_bytes = 2000;
        std::size_t first_matches = std::numeric_limits<std::size_t>::max();
        std::size_t last_matches = std::numeric_limits<std::size_t>::max();
        std::size_t before = 0;  // lines of context
        std::size_t after = 0;
        bool share_context = true;  // a line between two matches is kept once
        std::size_t line_bytes = 200;
    };

    LineSearch(Pattern pattern, Options options);

    // The number of the first line to be fed, 0 if not known; 1 if this is not called before feed.
    void begin_at_line(std::uint64_t line) noexcept { line_ = line; }
    // The bytes at `at` of the log. They go on where the last ones ended, or lie behind: then a
    // hole is between, the line that was open has ended, and line numbers are no longer known.
    void feed(std::uint64_t at, std::string_view bytes);
    // The line that is not complete counts as it is now (a prompt). If it matches, its end will not
    // count again.
    void take_open_line();
    // No more comes: what is left is a line.
    void finish();

    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
    [[nodiscard]] const std::vector<FoundLine>& first() const noexcept { return first_; }
    // Those that are not among the first ones.
    [[nodiscard]] const std::deque<FoundLine>& last() const noexcept { return last_; }
    // Number of the line that is open or begins next, 0 if not known.
    [[nodiscard]] std::uint64_t line() const noexcept { return line_; }

  private:
    struct RawLine {
        std::uint64_t at = 0;
        std::uint64_t to = 0;
        std::uint64_t line = 0;
        std::string_view bytes;
    };
    struct KeptLine {
        std::uint64_t at = 0;
        std::uint64_t line = 0;
        std::string bytes;
    };

    void take_slice(std::uint64_t at, std::string_view bytes);
    void search_lines(std::string_view bytes, std::uint64_t at);
    void search_clean_block(std::string_view block, std::uint64_t at);
    void search_each_line(std::string_view block, std::uint64_t at);
    void search_open_part();
    void remember(std::string_view block, std::uint64_t at, std::uint64_t next_line);
    void take_match(const RawLine& line, std::string_view block, std::uint64_t block_at,
                    std::string_view cleaned, std::size_t match_at);
    void take_after(const RawLine& line);
    std::vector<FoundLine> lines_before(const RawLine& line, std::string_view block,
                                        std::uint64_t block_at);
    std::string_view cleaned(std::string_view raw, bool ended);
    [[nodiscard]] std::size_t cost(const FoundLine& line) const;
    void keep_group(std::vector<FoundLine> group);
    void trim_last();

    Pattern pattern_;
    Options options_;
    std::uint64_t line_ = 1;
    std::uint64_t position_ = 0;
    bool fed_ = false;

    std::string open_;           // raw bytes of the line that has not ended, or of its last part
    std::uint64_t open_at_ = 0;  // where that line begins
    std::uint64_t open_to_ = 0;
    bool open_matched_ = false;
    std::deque<KeptLine> recent_;  // the last `before` lines ahead of what is searched next

    TerminalCleaner cleaner_;
    std::string cleaned_;

    std::uint64_t total_ = 0;
    std::uint64_t shown_to_ = 0;  // lines that begin before it are kept already
    std::size_t after_left_ = 0;
    bool first_closed_ = false;
    std::vector<FoundLine> first_;
    std::size_t first_cost_ = 0;
    std::size_t first_groups_ = 0;
    std::deque<FoundLine> last_;
    std::size_t last_cost_ = 0;
    std::size_t last_groups_ = 0;
};

}  // namespace bgshell::text
