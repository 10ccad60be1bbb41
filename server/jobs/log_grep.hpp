// LogGrep: the search that a call of `output` with `grep` asks for: every line behind `from` that
// matches is counted, the first and the last ones are shown. Goes over the log in steps, so that
// others can read meanwhile.
//
// Blocking reads; used on the store's scanner, for one answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/line_finder.hpp"
#include "jobs/log_output.hpp"
#include "jobs/view.hpp"
#include "store/log_reader.hpp"
#include "text/line_search.hpp"
#include "text/pattern.hpp"

namespace bgshell::jobs {

class LogGrep {
  public:
    // Of the log, at a time: some milliseconds even where every byte has to be cleaned.
    static constexpr std::uint64_t kStep = std::uint64_t{256} * 1024;

    struct Question {
        text::Pattern pattern;
        std::size_t context_lines = 0;
        std::size_t max_bytes = 0;  // of the lines shown, as written
        std::uint64_t from = 0;
        KnownLog known;
        store::Stream stream = store::Stream::both;
    };
    [[nodiscard]] static Result<LogGrep> open(store::LogReader reader, const Question& question);

    // Searches on; false: all of it has been searched.
    [[nodiscard]] Result<bool> step();
    // After the last step. The holes are in `omitted`, also those made meanwhile: a line that
    // rolled off after it was searched counts all the same.
    [[nodiscard]] OutputView view() const;

  private:
    // The lines of one stream go on over the bytes of the other: they are searched as if those were
    // not there, and their positions put back in the end.
    struct Run {
        std::uint64_t fed_at;
        std::uint64_t at;
    };
    LogGrep(std::unique_ptr<store::LogReader> reader, LogOutput output, const Question& question);
    [[nodiscard]] bool one_stream() const noexcept;
    [[nodiscard]] std::uint64_t position(std::uint64_t fed_at) const;
    void feed(const store::LogPiece& piece);

    std::unique_ptr<store::LogReader> reader_;  // `output_` refers to it
    LogOutput output_;
    bool pattern_literal_;
    text::LineSearch search_;
    std::optional<LineFinder> finder_;  // of the line where the search begins
    store::Range range_;                // to be searched
    std::vector<store::Range> left_;    // of it, the next one last
    std::vector<store::Range> holes_;   // as of the last step
    std::vector<store::Range> mixed_;   // of range_
    std::uint64_t searched_to_ = 0;     // where the last piece of a stream ended
    std::uint64_t fed_ = 0;
    std::vector<Run> runs_;
};

}  // namespace bgshell::jobs
