#include "text/terminal_line.hpp"

#include <algorithm>

#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

constexpr std::size_t kRewritableBytes = 4096;
// Programs move the cursor to column 9999 to learn the width; no terminal is as wide.
constexpr std::size_t kMaxColumn = 999;

bool is_ascii(char byte) noexcept {
    return static_cast<unsigned char>(byte) < 0x80;
}

}  // namespace

void TerminalLine::append(std::string_view text) {
    if (const std::size_t room = max_bytes_ - std::min(max_bytes_, text_.size());
        text.size() > room) {
        overflowed_ = true;
        text = text.substr(0, previous_boundary(text, room));
    }
    text_ += text;
    cursor_ = text_.size();
}

void TerminalLine::print(std::string_view text) {
    if (at_end()) return append(text);
    if (beyond_ > 0) {
        const std::size_t blanks = beyond_;
        beyond_ = 0;
        append(std::string(blanks, ' '));
    }
    if (cursor_ < text_.size() && text_.size() > kRewritableBytes) erase_right();
    while (cursor_ < text_.size() && !text.empty()) {
        rewritten_ = true;
        if (is_ascii(text_[cursor_]) && is_ascii(text.front())) {
            text_[cursor_++] = text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t old_length = utf8_step(std::string_view{text_}.substr(cursor_)).length;
        const std::size_t new_length = utf8_step(text).length;
        text_.replace(cursor_, old_length, text.substr(0, new_length));
        cursor_ += new_length;
        text.remove_prefix(new_length);
    }
    if (!text.empty()) append(text);
}

void TerminalLine::carriage_return() noexcept {
    cursor_ = 0;
    beyond_ = 0;
}

void TerminalLine::move_left(std::size_t columns) noexcept {
    const std::size_t in_blanks = std::min(columns, beyond_);
    beyond_ -= in_blanks;
    for (columns -= in_blanks; columns > 0 && cursor_ > 0; --columns) {
        cursor_ = previous_boundary(text_, cursor_ - 1);
    }
}

void TerminalLine::move_right(std::size_t columns) {
    columns = std::min(columns, kMaxColumn);
    for (; columns > 0 && cursor_ < text_.size(); --columns) {
        cursor_ += utf8_step(std::string_view{text_}.substr(cursor_)).length;
    }
    beyond_ = std::min(beyond_ + columns, kMaxColumn);
}

void TerminalLine::move_to(std::size_t column) {
    carriage_return();
    move_right(column);
}

void TerminalLine::erase_right() {
    rewritten_ = rewritten_ || cursor_ < text_.size();
    text_.resize(cursor_);
}

std::size_t TerminalLine::column() const noexcept {
    return count_characters(std::string_view{text_}.substr(0, cursor_)) + beyond_;
}

void TerminalLine::erase_left() {
    if (text_.size() > kRewritableBytes) return;
    const std::size_t blanks = column();
    if (cursor_ < text_.size()) {
        const std::size_t length = utf8_step(std::string_view{text_}.substr(cursor_)).length;
        text_.replace(0, cursor_ + length, std::string(blanks + 1, ' '));
        cursor_ = blanks;
    } else {
        erase_all();
    }
    rewritten_ = true;
}

void TerminalLine::erase_all() {
    beyond_ = std::min(column(), kMaxColumn);
    text_.clear();
    cursor_ = 0;
    rewritten_ = true;
}

void TerminalLine::clear() noexcept {
    text_.clear();
    carriage_return();
    rewritten_ = false;
    overflowed_ = false;
}

std::string_view TerminalLine::ended_text() const noexcept {
    const std::string_view text = text_;
    return rewritten_ ? text.substr(0, text.find_last_not_of(' ') + 1) : text;
}

}  // namespace bgshell::text
