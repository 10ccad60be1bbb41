// TerminalCleaner: turns raw output into the text that a terminal would show, line by line: control
// sequences are removed, carriage returns, backspaces and erasures are carried out, CRLF is a
// newline, a tab stays, other control characters vanish. Bytes that are no UTF-8 become U+FFFD,
// U+2028 and U+2029 a space: the result is valid UTF-8 whose only control characters are tab and
// newline.
//
// One newline byte ends one line and nothing else does, so raw and cleaned lines correspond; a move
// of the cursor to another line only separates what was printed before it from what comes after.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/escape_parser.hpp"
#include "text/terminal_line.hpp"

namespace bgshell::text {

class TerminalCleaner {
  public:
    static constexpr std::size_t kMaxLineBytes = std::size_t{64} * 1024;

    // Memory is bounded by `max_line_bytes`: of a longer line the beginning is kept.
    explicit TerminalCleaner(std::size_t max_line_bytes = kMaxLineBytes) : line_{max_line_bytes} {}

    // Takes the next bytes; they may be cut anywhere. Every line that they end is appended to `out`
    // with its newline.
    void feed(std::string_view bytes, std::string& out);
    // The line that has not ended, as shown now.
    [[nodiscard]] std::string_view line() const noexcept { return line_.text(); }
    // No character and no control sequence is half read.
    [[nodiscard]] bool at_boundary() const noexcept {
        return pending_.empty() && !parser_.inside();
    }
    // The line that has not ended was longer than is kept.
    [[nodiscard]] bool overflowed() const noexcept { return line_.overflowed(); }
    // No more bytes come: half a character becomes U+FFFD; the unfinished line is appended to `out`
    // without a newline, and a new one begins.
    void finish(std::string& out);

  private:
    void take_control(unsigned char byte, std::string& out);
    void take_csi(const Csi& csi);
    std::size_t take_text(std::string_view bytes);
    void separate();

    EscapeParser parser_;
    TerminalLine line_;
    std::string pending_;  // the beginning of a character
};

// `raw` as one text: what feed and finish give.
[[nodiscard]] std::string clean(std::string_view raw);

// The same of one line that has ended, `raw` being without its newline.
[[nodiscard]] std::string clean_ended_line(std::string_view raw);

// Whether cleaning would change nothing: the usual case, and cheap to find out.
[[nodiscard]] bool is_clean(std::string_view raw) noexcept;

}  // namespace bgshell::text
