// LogReader: reads a job's log by byte offset, knows its holes and, for split jobs, its streams.
// Offsets are those of the stored log and never change.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/unique_fd.hpp"
#include "store/error.hpp"
#include "store/job_directory.hpp"
#include "store/log_index.hpp"
#include "store/patience.hpp"

namespace bgshell::store {

// A run of bytes that are there.
struct LogPiece {
    std::uint64_t from = 0;
    std::string bytes;
    friend bool operator==(const LogPiece&, const LogPiece&) = default;
};

class LogReader {
  public:
    // An absent log reads as an empty one (the keeper may not have made it yet). May outlive the
    // directory. Opened once and kept, it reads only what is new of the index.
    [[nodiscard]] static Result<LogReader> open(const JobDirectory& directory,
                                                Patience patience = Patience::waits);
    // What a reader without patience reads in all: copying it and cleaning it takes a few
    // milliseconds at worst (binary noise).
    static constexpr std::uint64_t kMostWithoutPatience = std::uint64_t{256} * 1024;

    // Size of the log now, holes counted.
    [[nodiscard]] Result<std::uint64_t> size();
    // The bytes of [from, from + max) that exist, as pieces in order: what lies in a hole is
    // absent. With a stream, only the bytes of that stream (mixed ones count for both). Re-reads
    // the holes after each read of the log, so that no byte of a hole is ever taken for output.
    // Allocates what it returns, so `max` is the caller's bound on memory.
    [[nodiscard]] Result<std::vector<LogPiece>> read(std::uint64_t from, std::uint64_t max,
                                                     Stream stream = Stream::both);
    // Merged and sorted.
    [[nodiscard]] Result<std::vector<Range>> holes();
    // See LogIndex::mixed.
    [[nodiscard]] Result<std::vector<Range>> mixed(Range range);

  private:
    LogReader(std::string name, platform::UniqueFd directory, Patience patience)
        : name_{std::move(name)}, directory_{std::move(directory)}, patience_{patience} {}
    // False: it cannot be opened, errno says why.
    [[nodiscard]] bool open_file(const char* name, platform::UniqueFd& file) const;
    [[nodiscard]] ssize_t read_some(int fd, char* bytes, std::size_t count,
                                    std::uint64_t offset) const;
    [[nodiscard]] Result<void> refresh();
    [[nodiscard]] Result<std::string> read_range(Range range);
    [[nodiscard]] Error failed(const char* file, int number) const;

    std::string name_;  // of the job, for errors
    platform::UniqueFd directory_;
    Patience patience_;
    std::uint64_t read_bytes_ = 0;
    platform::UniqueFd log_;
    platform::UniqueFd index_file_;
    LogIndex index_;
    bool index_known_ = false;  // it was read once
};

}  // namespace bgshell::store
