// TerminalLine: one line of a terminal: what is on it after printing, going back and printing over.
// Every character is one column wide, a simplification that shows only where characters of
// different width overwrite each other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bgshell::text {

class TerminalLine {
  public:
    // Keeps at most `max_bytes` of text: what is printed behind that is dropped, see overflowed().
    explicit TerminalLine(std::size_t max_bytes) : max_bytes_{max_bytes} {}

    // Valid UTF-8 of printable characters (a tab is one), put at the cursor, over what is there. In
    // a line above 4 KiB the first character printed over another erases the rest, so that no input
    // makes the cost quadratic.
    void print(std::string_view text);
    void carriage_return() noexcept;
    void backspace() noexcept { move_left(1); }
    void move_left(std::size_t columns) noexcept;
    void move_right(std::size_t columns);
    void move_to(std::size_t column);  // 0 is the first
    void erase_right();                // from the cursor on
    void erase_left();                 // up to and with the cursor
    void erase_all();                  // the cursor stays
    void clear() noexcept;             // a new line

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    // Without the blanks at the end where something was rewritten: they only hid what was there.
    [[nodiscard]] std::string_view ended_text() const noexcept;
    [[nodiscard]] bool at_end() const noexcept { return cursor_ == text_.size() && beyond_ == 0; }
    [[nodiscard]] bool overflowed() const noexcept { return overflowed_; }

  private:
    void append(std::string_view text);
    [[nodiscard]] std::size_t column() const noexcept;

    std::size_t max_bytes_;
    std::string text_;
    std::size_t cursor_ = 0;  // byte offset of a character
    std::size_t beyond_ = 0;  // columns that the cursor stands behind the end of the text
    bool rewritten_ = false;
    bool overflowed_ = false;
};

}  // namespace bgshell::text
