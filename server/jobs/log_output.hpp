// LogOutput: what of a job's log can be shown: one stream of it, without its holes, up to an end
// that does not move while an answer is made.
//
// Blocking reads, unless the reader has no patience.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "jobs/error.hpp"
#include "jobs/log_window.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

// What is known of a log before it is looked at.
struct KnownLog {
    bool growing = false;    // the job, or what it left behind, may still print
    std::uint64_t size = 0;  // as its keeper has told; a shorter log has lost its end
};

class LogOutput {
  public:
    // More than this is not read only to count lines.
    static constexpr std::uint64_t kMaxCounted = 64ULL << 20;
    // So much of it in one turn of the scanner.
    static constexpr std::uint64_t kCountedAtOnce = 4ULL << 20;

    // The log as it is now. While its job may print more, a character or control sequence that is
    // not complete at its end is not yet part of it: the next look finds it whole.
    [[nodiscard]] static Result<LogOutput> open(store::LogReader& reader, KnownLog known = {},
                                                store::Stream stream = store::Stream::both);

    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
    // What should be there, up to end(), and is not: somebody has removed or cut the log. Like a
    // hole, it belongs to no stretch.
    [[nodiscard]] store::Range missing() const noexcept { return {stored_end_, end_}; }
    [[nodiscard]] store::Stream stream() const noexcept { return stream_; }
    // Merged and sorted, up to end().
    [[nodiscard]] const std::vector<store::Range>& holes() const noexcept { return holes_; }
    // What lies between the holes of [from, to), in order. Empty ones are left out.
    [[nodiscard]] std::vector<store::Range> stretches(store::Range range) const;

    // Where a view that is asked for at `from` begins: not inside a character or a control
    // sequence.
    [[nodiscard]] Result<std::uint64_t> start_at(std::uint64_t from);

    // At least `bytes` from the beginning or the end of a stretch, or all of it. Holes made
    // meanwhile end a window early: range() tells.
    [[nodiscard]] Result<LogWindow> load_front(store::Range stretch, std::size_t bytes);
    [[nodiscard]] Result<LogWindow> load_back(store::Range stretch, std::size_t bytes);
    // The first position >= `at` inside of `stretch` where neither a character nor a sequence is
    // cut.
    [[nodiscard]] Result<std::uint64_t> whole_start(store::Range stretch, std::uint64_t at);

    struct Tally {
        std::uint64_t bytes = 0;
        std::uint64_t newlines = 0;
    };
    [[nodiscard]] Result<Tally> count(store::Range range);
    // The parts of `range` of which it is not known to which stream they belong; none where both
    // are asked for.
    [[nodiscard]] Result<std::vector<store::Range>> mixed(store::Range range);
    // Gives every piece of `range` to `take`, in order.
    [[nodiscard]] Result<void> visit(store::Range range,
                                     const std::function<void(const store::LogPiece&)>& take);

  private:
    LogOutput(store::LogReader& reader, store::Stream stream) : reader_{&reader}, stream_{stream} {}
    [[nodiscard]] Result<std::vector<store::LogPiece>> read(store::Range range);
    [[nodiscard]] bool is_kept(store::Range range) const noexcept {
        return kept_range_.from <= range.from && range.to <= kept_range_.to;
    }
    void keep(store::Range range, const std::vector<store::LogPiece>& pieces);

    store::LogReader* reader_;
    store::Stream stream_;
    std::uint64_t stored_end_ = 0;
    std::uint64_t end_ = 0;
    std::vector<store::Range> holes_;
    // What was read last, if it is little: views look at the same bytes several times.
    store::Range kept_range_;
    std::vector<store::LogPiece> kept_;
};

}  // namespace bgshell::jobs
