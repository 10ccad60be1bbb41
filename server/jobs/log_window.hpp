// LogWindow: a stretch of a log in memory: bytes that follow one another in a stream, and where in
// the log each of them lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/log_reader.hpp"

namespace bgshell::jobs {

class LogWindow {
  public:
    LogWindow() = default;
    explicit LogWindow(store::Range range) : range_{range} {}

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    // What of the log was looked at; bytes of another stream are part of it.
    [[nodiscard]] store::Range range() const noexcept { return range_; }
    // Where in the log bytes()[offset] lies; of the end: range().to.
    [[nodiscard]] std::uint64_t position(std::size_t offset) const;

    void append(std::vector<store::LogPiece> pieces, std::uint64_t to);
    void prepend(std::vector<store::LogPiece> pieces, std::uint64_t from);

  private:
    struct Run {
        std::size_t offset = 0;
        std::uint64_t at = 0;
    };
    std::string bytes_;
    std::vector<Run> runs_;
    store::Range range_;
};

}  // namespace bgshell::jobs
