// PipePace: how one of the job's pipes is read so that neither the job nor the keeper waits for
// each single write of the other.
//
// After a read that found little, the next one is worth a wait: a program that prints line by line
// is faster when it is not woken for each line, and so are we. Sparse output is not delayed: the
// wait comes after the read. What is little depends on the pipe, for one that fills during the wait
// stops the job: a new one holds 64 KiB, but 8 KiB where its user has more than 64 MiB of pipes.
#pragma once

#include <cstddef>

namespace bgshell::keeper {

class PipePace {
  public:
    // Not more: it is taken from those 64 MiB.
    static constexpr std::size_t kLargest = 256 * 1024;

    // `capacity` is in bytes, as F_GETPIPE_SZ has it.
    explicit PipePace(std::size_t capacity) noexcept : capacity_{capacity} {}

    // A read took `bytes` out of it. Returns whether it is worth making larger, to kLargest: once,
    // at the second read that found it more than half full. A pipe counts as full before: a write
    // that does not fit into the rest of a page of it takes a new one.
    [[nodiscard]] bool on_read(std::size_t bytes) noexcept {
        return bytes > capacity_ / 2 && capacity_ < kLargest && ++full_reads_ == kFullReads;
    }
    void enlarged(std::size_t capacity) noexcept { capacity_ = capacity; }
    // Whether a read of so many bytes found little.
    [[nodiscard]] bool is_little(std::size_t bytes) const noexcept { return bytes < capacity_ / 4; }

  private:
    static constexpr int kFullReads = 2;
    std::size_t capacity_;
    int full_reads_ = 0;
};

}  // namespace bgshell::keeper
