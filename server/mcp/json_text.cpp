#include "mcp/json_text.hpp"

#include <array>
#include <charconv>

#include "text/lanes.hpp"

namespace bgshell::mcp {

namespace json = boost::json;

namespace {

// Bytes that may not go out as they are. E2 begins U+2028 and U+2029, and much that is harmless.
constexpr std::array<bool, 256> kSpecial = [] {
    std::array<bool, 256> special{};
    for (std::size_t byte = 0; byte < 0x20; ++byte) special[byte] = true;
    special['"'] = special['\\'] = special[0xE2] = true;
    return special;
}();

// The first special byte at or after `at`, or `end`.
const char* find_special(const char* at, const char* end) noexcept {
    at += text::prefix_without({at, end}, [](text::Lanes lanes) {
        return (lanes < 0x20) | (lanes == '"') | (lanes == '\\') | (lanes == 0xE2);
    });
    while (at != end && !kSpecial[static_cast<unsigned char>(*at)]) ++at;
    return at;
}

bool is_line_separator(const char* at, const char* end) noexcept {
    return end - at >= 3 && at[1] == '\x80' && (at[2] == '\xA8' || at[2] == '\xA9');
}

// Appends the escape of the special byte at `at`; how many bytes it stands for.
std::ptrdiff_t append_escape(std::string& out, const char* at, const char* end) {
    static constexpr char kHex[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(*at);
    switch (byte) {
        case '"':
            out += "\\\"";
            return 1;
        case '\\':
            out += "\\\\";
            return 1;
        case '\n':
            out += "\\n";
            return 1;
        case '\r':
            out += "\\r";
            return 1;
        case '\t':
            out += "\\t";
            return 1;
        case '\b':
            out += "\\b";
            return 1;
        case '\f':
            out += "\\f";
            return 1;
        case 0xE2:
            if (!is_line_separator(at, end)) {
                out += *at;
                return 1;
            }
            out += at[2] == '\xA8' ? "\\u2028" : "\\u2029";
            return 3;
        default:
            out += "\\u00";
            out += kHex[byte >> 4];
            out += kHex[byte & 0x0F];
            return 1;
    }
}

template <class Number>
void append_number(std::string& out, Number number) {
    std::array<char, 24> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out.append(digits.data(), end);
}

std::size_t length_hint(const json::value& value) {
    if (const auto* text = value.if_string()) return text->size() + text->size() / 16 + 4;
    if (const auto* object = value.if_object()) return json_length_hint(*object);
    if (const auto* array = value.if_array()) {
        std::size_t length = 2;
        for (const auto& entry : *array) length += length_hint(entry) + 1;
        return length;
    }
    return 8;
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
    out += '"';
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        const char* const special = find_special(at, end);
        out.append(at, special);
        at = special;
        if (at != end) at += append_escape(out, at, end);
    }
    out += '"';
}

void append_json(std::string& out, const json::value& value) {
    switch (value.kind()) {
        case json::kind::null:
            out += "null";
            break;
        case json::kind::bool_:
            out += value.get_bool() ? "true" : "false";
            break;
        case json::kind::int64:
            append_number(out, value.get_int64());
            break;
        case json::kind::uint64:
            append_number(out, value.get_uint64());
            break;
        case json::kind::double_:
            out += json::serialize(value);
            break;
        case json::kind::string:
            append_json(out, std::string_view{value.get_string()});
            break;
        case json::kind::array:
            append_json(out, value.get_array());
            break;
        case json::kind::object:
            append_json(out, value.get_object());
            break;
    }
}

void append_json(std::string& out, const json::object& object) {
    out += '{';
    for (const auto& [key, value] : object) {
        if (out.back() != '{') out += ',';
        append_json(out, std::string_view{key});
        out += ':';
        append_json(out, value);
    }
    out += '}';
}

void append_json(std::string& out, const json::array& array) {
    out += '[';
    for (const auto& value : array) {
        if (out.back() != '[') out += ',';
        append_json(out, value);
    }
    out += ']';
}

std::size_t json_length_hint(const json::object& object) {
    std::size_t length = 2;
    for (const auto& [key, value] : object) length += key.size() + 4 + length_hint(value);
    return length;
}

}  // namespace bgshell::mcp
