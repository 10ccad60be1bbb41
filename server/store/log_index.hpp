// LogIndex: what a job's `index` file (keeper/index_file.hpp) says of its log: where it has holes,
// and which bytes came from which stream. Takes the file in pieces, as it grows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "keeper/index_file.hpp"

namespace bgshell::store {

// Bytes [from, to).
struct Range {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return to - from; }
    friend bool operator==(const Range&, const Range&) = default;
};

enum class Stream : std::uint8_t { both, out, err };

class LogIndex {
  public:
    // Takes the file's bytes from `taken_bytes()` on. An entry that is not whole yet is left for
    // the next time; an invalid one ends the reading for good.
    void take(std::string_view bytes);
    [[nodiscard]] std::uint64_t taken_bytes() const noexcept { return taken_; }

    // Merged and sorted.
    [[nodiscard]] const std::vector<Range>& holes() const noexcept { return holes_; }
    // The parts of `range` that lie in no hole and belong to `stream`, in order; neighbours are
    // one. Bytes before the first mark, and mixed ones, belong to both streams.
    [[nodiscard]] std::vector<Range> present(Range range, Stream stream) const;
    // The parts of `range` of which it is not known from which stream they came.
    [[nodiscard]] std::vector<Range> mixed(Range range) const;

  private:
    // Every byte from `from` on, until the next mark.
    struct Mark {
        std::uint64_t from = 0;
        keeper::IndexKind kind = keeper::IndexKind::mixed;
    };

    void add_hole(Range hole);
    void add_mark(Mark mark);
    // The parts of `range`, holes or not, whose kind is wanted.
    template <class Wanted>
    void append_marked(Range range, const Wanted& wanted, std::vector<Range>& parts) const;

    std::uint64_t taken_ = 0;
    bool invalid_ = false;
    std::vector<Range> holes_;
    std::vector<Mark> marks_;  // sorted
};

}  // namespace bgshell::store
