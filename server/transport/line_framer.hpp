// LineFramer: bytes in, lines out. A line ends in "\n" or "\r\n"; empty ones are skipped; one that
// is longer than the limit is dropped up to its newline, and said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bgshell::transport {

struct FramedLine {
    enum class Kind : std::uint8_t { line, too_long };
    Kind kind = Kind::line;
    std::string_view text;  // without its end; valid until the next `space` or `end`
};

class LineFramer {
  public:
    explicit LineFramer(std::size_t longest) : longest_{longest} {}

    // Where the next bytes go; never empty. Everything that `next` had to give must have been
    // taken.
    [[nodiscard]] std::span<char> space();
    // How many of them came.
    void filled(std::size_t count);
    // The next whole line. A line that is too long is told once, before its end has come.
    [[nodiscard]] std::optional<FramedLine> next();
    // After the last bytes: what stands there without a newline.
    [[nodiscard]] std::optional<FramedLine> end();

  private:
    std::vector<char> buffer_;
    std::size_t begin_ = 0;    // of what has not been given
    std::size_t scanned_ = 0;  // no newline before it
    std::size_t end_ = 0;
    std::size_t longest_;
    bool dropping_ = false;  // the rest of a line that was too long
};

}  // namespace bgshell::transport
