// ViewBuilder: makes the views of one job's output. Budgets (`max_bytes`) count the text as it is
// written in JSON; ranges, positions and line counts are those of the stored log.
//
// Reads the log's beginning and end, never its middle, except that what a view omits is read to
// count its lines, up to LogOutput::kMaxCounted. Blocking; used
// for one answer, on the store's scanner or without patience (store/patience.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/log_output.hpp"
#include "jobs/view.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

class ViewBuilder {
  public:
    // `reader` outlives the builder.
    [[nodiscard]] static Result<ViewBuilder> open(store::LogReader& reader, KnownLog known = {},
                                                  store::Stream stream = store::Stream::both);

    // Up to where there is something to show: the log's size, or a little less while a character or
    // a control sequence at its end is not complete.
    [[nodiscard]] std::uint64_t end() const noexcept { return output_.end(); }

    // What came since `look`; if nothing did, the last lines again (`again`). Moves the look to
    // `next`.
    [[nodiscard]] Result<OutputView> since(std::uint64_t look, std::size_t max_bytes);
    // From `from` to the end, the middle cut out where it is too long.
    [[nodiscard]] Result<OutputView> whole(std::uint64_t from, std::size_t max_bytes);
    // From `from` on, uncut, as much as fits; `next` goes on. Past the end: empty, at the end.
    [[nodiscard]] Result<OutputView> onward(std::uint64_t from, std::size_t max_bytes);
    // The last `lines` lines, of those behind `from`; where they are too many, the last that fit.
    [[nodiscard]] Result<OutputView> tail(std::size_t lines, std::size_t max_bytes,
                                          std::uint64_t from = 0);
    // The last line that is not blank, cleaned, at most 200 characters; empty if there is none.
    [[nodiscard]] Result<std::string> last_line();

  private:
    // What is shown of a range, without a gap.
    struct Part {
        store::Range range;
        std::string text;
        std::size_t size = 0;  // of it as written
    };
    explicit ViewBuilder(LogOutput output) : output_{std::move(output)} {}
    [[nodiscard]] Result<bool> is_too_long(const std::vector<store::Range>& stretches,
                                           std::size_t max_bytes);
    [[nodiscard]] Result<std::vector<Part>> take_front(store::Range range, std::size_t budget);
    [[nodiscard]] Result<std::vector<Part>> take_back(store::Range range, std::size_t budget,
                                                      std::size_t& lines);
    [[nodiscard]] Result<OutputView> assemble(store::Range range, const std::vector<Part>& parts);
    [[nodiscard]] Result<void> add_gap(OutputView& view, store::Range gap);
    [[nodiscard]] Result<std::uint64_t> lines_back(std::uint64_t from, std::uint64_t to,
                                                   std::size_t lines);

    LogOutput output_;
};

}  // namespace bgshell::jobs
