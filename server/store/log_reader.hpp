// LogReader: reads a job's log by byte offset, knows its holes and, for split jobs, its streams.
// Offsets are those of the stored log and never change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keeper/index_file.hpp"
#include "platform/unique_fd.hpp"
#include "store/error.hpp"
#include "store/job_directory.hpp"

namespace bgshell::store {

struct Range {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return to - from; }
    friend bool operator==(const Range&, const Range&) = default;
};

enum class Stream : std::uint8_t { both, out, err };

// A run of bytes that are there.
struct LogPiece {
    std::uint64_t from = 0;
    std::string bytes;
};

class LogReader {
  public:
    // An absent log reads as an empty one (the keeper may not have made it yet).
    [[nodiscard]] static Result<LogReader> open(const JobDirectory& directory);

    // Size of the log now, holes counted.
    [[nodiscard]] Result<std::uint64_t> size();
    // The bytes of [from, from + max) that exist, as pieces in order: what lies in a hole is
    // absent. With a stream, only the bytes of that stream (mixed ones count for both). Re-reads
    // the holes after each read of the log, so that no byte of a hole is ever taken for output.
    [[nodiscard]] Result<std::vector<LogPiece>> read(std::uint64_t from, std::uint64_t max,
                                                     Stream stream = Stream::both);
    // Merged and sorted.
    [[nodiscard]] Result<std::vector<Range>> holes();

  private:
    LogReader(platform::UniqueFd log, platform::UniqueFd index, int directory_fd);
    platform::UniqueFd log_;
    platform::UniqueFd index_;
    std::string index_bytes_;
};

}  // namespace bgshell::store
