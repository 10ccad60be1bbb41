#include "text/quote.hpp"

#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

void append_escaped(std::string& out, std::string_view character) {
    const auto first = static_cast<unsigned char>(character.front());
    switch (first) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\b':
            out += "\\b";
            return;
        case '\f':
            out += "\\f";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    if (first < 0x20 || first == 0x7F) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out += "\\u00";
        out += kDigits[first >> 4U];
        out += kDigits[first & 0xFU];
        return;
    }
    out += character;
}

}  // namespace

std::string quote(std::string_view bytes, std::size_t limit) {
    constexpr std::string_view kEllipsis = "...";
    // No character of the result comes from more than 4 bytes, so what lies behind cannot show.
    const std::string text = sanitize(bytes.substr(0, limit * 4 + 4));
    std::string out = "\"";
    std::size_t written = 0;     // characters
    std::size_t short_form = 1;  // length of `out` where the ellipsis still fits
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_step(std::string_view{text}.substr(at)).length;
        const std::size_t before = out.size();
        append_escaped(out, std::string_view{text}.substr(at, length));
        written += length > 1 ? 1 : out.size() - before;
        at += length;
        if (written + kEllipsis.size() <= limit) short_form = out.size();
        if (written > limit) {
            out.resize(short_form);
            out += kEllipsis;
            break;
        }
    }
    out += '"';
    return out;
}

}  // namespace bgshell::text
