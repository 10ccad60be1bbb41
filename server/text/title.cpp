#include "text/title.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "text/utf8.hpp"

namespace bgshell::text {
namespace {

constexpr std::size_t kMaxCharacters = 60;
constexpr std::string_view kBlank = " \t\r\f\v";

void trim_left(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
}

bool is_word_end(char c) {
    return c == ';' || c == '&' || c == '|' || kBlank.find(c) != kBlank.npos;
}

// The length of the shell word at the beginning of `text`: quotes and $(...) belong to it.
std::size_t word_length(std::string_view text) {
    char quote = 0;
    int depth = 0;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\' && quote != '\'') {
            ++at;
        } else if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"' || c == '`') {
            quote = c;
        } else if (c == '(') {
            ++depth;
        } else if (c == ')') {
            --depth;
        } else if (depth <= 0 && is_word_end(c)) {
            break;
        }
    }
    return std::min(at, text.size());
}

bool is_assignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == word.npos) return false;
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return false;
    return std::all_of(
        word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
        [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

// Removes `&&` or `;`. False: something else follows, e.g. a pipe.
bool take_separator(std::string_view& text) {
    trim_left(text);
    if (text.empty()) return true;
    if (text.starts_with("&&")) {
        text.remove_prefix(2);
    } else if (text.starts_with(";")) {
        text.remove_prefix(1);
    } else {
        return false;
    }
    return true;
}

// Removes one preparing command from the beginning, if there is one.
bool take_preparation(std::string_view& text) {
    std::string_view rest = text;
    trim_left(rest);
    const std::string_view word = rest.substr(0, word_length(rest));
    if (is_assignment(word)) {
        rest.remove_prefix(word.size());
        std::string_view after = rest;
        text = take_separator(after) ? after : rest;
        return true;
    }
    if (word != "cd" && word != "set" && word != "export") return false;
    rest.remove_prefix(word.size());
    trim_left(rest);
    if (word == "set" && !rest.starts_with('-')) return false;
    while (!rest.empty() && !is_word_end(rest.front())) {
        const std::string_view argument = rest.substr(0, word_length(rest));
        if (word == "export" && !is_assignment(argument)) return false;
        rest.remove_prefix(argument.size());
        trim_left(rest);
    }
    if (!take_separator(rest)) return false;
    text = rest;
    return true;
}

std::string shown(std::string_view line) {
    std::string text = sanitize(line);
    std::replace(text.begin(), text.end(), '\t', ' ');
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    text.resize(first_characters(text, kMaxCharacters).size());
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace

std::string title_of(std::string_view command) {
    std::string fallback;
    while (!command.empty()) {
        std::string_view line = command.substr(0, command.find('\n'));
        command.remove_prefix(std::min(line.size() + 1, command.size()));
        trim_left(line);
        if (fallback.empty()) fallback = shown(line);
        while (take_preparation(line)) trim_left(line);
        trim_left(line);
        if (line.starts_with('#')) continue;
        if (std::string title = shown(line); !title.empty()) return title;
    }
    return fallback;
}

}  // namespace bgshell::text
