#include "text/terminal_cleaner.hpp"

#include <algorithm>
#include <utility>

#include "text/lanes.hpp"
#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

bool is_plain_byte(char byte) noexcept {
    const auto value = static_cast<unsigned char>(byte);
    return (value >= 0x20 && value < 0x7F) || value == '\t';
}

bool is_control(char32_t code) noexcept {
    return code >= 0x80 && code < 0xA0;
}
bool is_separator(char32_t code) noexcept {
    return code == 0x2028 || code == 0x2029;
}

std::size_t plain_length(std::string_view bytes) noexcept {
    std::size_t at = prefix_without(
        bytes, [](Lanes lanes) { return (lanes >= 0x7F) | ((lanes < 0x20) & (lanes != '\t')); });
    while (at < bytes.size() && is_plain_byte(bytes[at])) ++at;
    return at;
}

// Where bytes are neither printable ASCII nor tabs nor newlines.
auto not_plain(Lanes lanes) noexcept {
    return (lanes >= 0x7F) | ((lanes < 0x20) & (lanes != '\t') & (lanes != '\n'));
}

}  // namespace

// Appends the text at the beginning of `bytes`, which begins with neither a control byte nor with
// the rest of a pending character. Returns how many bytes it took.
std::size_t TerminalCleaner::take_text(std::string_view bytes) {
    const std::string_view all = bytes;
    while (!bytes.empty()) {
        if (const std::size_t plain = plain_length(bytes); plain > 0) {
            line_.print(bytes.substr(0, plain));
            bytes.remove_prefix(plain);
            continue;
        }
        if (static_cast<unsigned char>(bytes.front()) < 0x80) break;
        const Utf8Step step = utf8_step(bytes);
        switch (step.kind) {
            case Utf8Step::Kind::invalid:
                line_.print(kReplacement);
                break;
            case Utf8Step::Kind::incomplete:
                pending_ = bytes;
                break;
            case Utf8Step::Kind::character:
                if (is_separator(step.code)) {
                    line_.print(" ");
                } else if (!is_control(step.code)) {
                    line_.print(bytes.substr(0, step.length));
                }
                break;
        }
        bytes.remove_prefix(step.length);
    }
    return all.size() - bytes.size();
}

void TerminalCleaner::feed(std::string_view bytes, std::string& out) {
    while (!pending_.empty() && !bytes.empty()) {
        pending_ += bytes.front();
        bytes.remove_prefix(1);
        const std::string character = std::exchange(pending_, {});
        const std::size_t taken = take_text(character);
        if (taken == character.size()) continue;
        // The last byte does not go on with the character: it is read again on its own.
        bytes = std::string_view{bytes.data() - 1, bytes.size() + 1};
    }
    while (!bytes.empty()) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        if (parser_.inside() || byte == kEscape) {
            const EscapeParser::Result result = parser_.step(byte);
            if (result == EscapeParser::Result::csi) take_csi(parser_.csi());
            if (result != EscapeParser::Result::text) {
                bytes.remove_prefix(1);
                continue;
            }
        }
        if (is_plain_byte(bytes.front()) || byte >= 0x80) {
            bytes.remove_prefix(take_text(bytes));
        } else {
            take_control(byte, out);
            bytes.remove_prefix(1);
        }
    }
}

void TerminalCleaner::take_control(unsigned char byte, std::string& out) {
    switch (byte) {
        case '\n':
            out += line_.ended_text();
            out += '\n';
            line_.clear();
            break;
        case '\r':
            line_.carriage_return();
            break;
        case '\b':
            line_.backspace();
            break;
        default:
            break;
    }
}

void TerminalCleaner::separate() {
    if (line_.text().empty()) line_.carriage_return();
    if (!line_.text().empty() && line_.at_end() && line_.text().back() != ' ') line_.print(" ");
}

void TerminalCleaner::take_csi(const Csi& csi) {
    if (!csi.plain) return;
    const std::size_t count = std::max<std::size_t>(csi.params[0], 1);
    switch (csi.final_byte) {
        case 'C':
            line_.move_right(count);
            break;
        case 'D':
            line_.move_left(count);
            break;
        case 'G':
        case '`':
            line_.move_to(count - 1);
            break;
        case 'E':
        case 'F':
        case 'H':
        case 'f':
            separate();
            break;
        case 'J':
        case 'K':
            if (csi.params[0] == 0) line_.erase_right();
            if (csi.params[0] == 1) line_.erase_left();
            if (csi.params[0] == 2) line_.erase_all();
            break;
        default:
            break;
    }
}

void TerminalCleaner::finish(std::string& out) {
    if (!pending_.empty()) line_.print(kReplacement);
    pending_.clear();
    parser_ = {};
    out += line_.text();
    line_.clear();
}

std::string clean(std::string_view raw) {
    if (is_clean(raw)) return std::string{raw};
    std::string out;
    out.reserve(raw.size());
    TerminalCleaner cleaner;
    cleaner.feed(raw, out);
    cleaner.finish(out);
    return out;
}

std::string clean_ended_line(std::string_view raw) {
    if (is_clean(raw)) return std::string{raw};
    std::string out;
    TerminalCleaner cleaner;
    cleaner.feed(raw, out);
    cleaner.feed("\n", out);
    out.pop_back();
    return out;
}

bool is_clean(std::string_view raw) noexcept {
    while (true) {
        raw.remove_prefix(prefix_without(raw, not_plain));
        if (raw.empty()) return true;
        // What stopped it, and a little more, one character at a time.
        for (std::size_t looked = 0; looked < sizeof(Lanes) && !raw.empty();) {
            const Utf8Step step = utf8_step(raw);
            if (step.kind != Utf8Step::Kind::character) return false;
            if (step.length == 1 && !is_plain_byte(raw.front()) && raw.front() != '\n')
                return false;
            if (is_control(step.code) || is_separator(step.code)) return false;
            raw.remove_prefix(step.length);
            looked += step.length;
        }
    }
}

}  // namespace bgshell::text
