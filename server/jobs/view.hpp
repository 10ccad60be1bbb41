// OutputView: a piece of a job's output as the model may read it: cleaned, cut to a budget, with
// the exact ranges of the stored log that it speaks of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/log_reader.hpp"

namespace bgshell::jobs {

// What an answer shows of a job's new output unless it was asked for more.
inline constexpr std::uint32_t kViewBytes = 8000;

struct Omitted {
    store::Range range;
    std::uint64_t lines = 0;  // newlines of what is stored there
    std::size_t at = 0;       // offset in `text` where it was cut
    bool counted = true;      // false: `lines` is the least; there is too much to count, or a hole
};

struct Match {
    std::uint64_t at = 0;    // byte position of the line in the log
    std::uint64_t line = 0;  // 1-based number in the log, 0 if unknown (a hole lies before it)
    std::string text;        // cleaned, at most 200 bytes
    bool context = false;    // a line around a match, not a match
    friend bool operator==(const Match&, const Match&) = default;
};

struct OutputView {
    store::Range range;               // [from, to) of the stored log
    std::uint64_t next = 0;           // where reading on starts
    std::string text;                 // valid UTF-8; a cut is marked by no text, only by `omitted`
    std::vector<Omitted> omitted;     // in order; cuts and holes alike
    std::uint64_t omitted_bytes = 0;  // of the stream that is shown; holes count whole
    bool again = false;               // nothing was new: the last lines are shown again
    bool rolled = false;              // the log has holes
    store::Range missing;             // what the log has lost at its end, if `range` goes there
    std::vector<store::Range> mixed;  // of one stream asked for: where both are shown, not knowing
    // grep only
    bool searched = false;
    bool pattern_literal = false;  // no valid RE2: taken literally
    std::uint64_t matches_total = 0;
    std::vector<Match> matches;     // first ones and last ones
    std::size_t matches_first = 0;  // how many of them are the first ones
};

}  // namespace bgshell::jobs
