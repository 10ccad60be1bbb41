#include "text/pattern.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace bgshell::text {
namespace {

constexpr std::int64_t kMaxMemory = 4 << 20;

struct Delimited {
    std::string_view body;
    std::string_view flags;
};

// `/body/flags`. A slash inside must be escaped, so that a path is not taken for one.
std::optional<Delimited> read_delimited(std::string_view text) {
    if (!text.starts_with('/')) return std::nullopt;
    const std::size_t end = text.rfind('/');
    if (end < 2) return std::nullopt;
    const Delimited read{text.substr(1, end - 1), text.substr(end + 1)};
    if (read.flags.find_first_not_of("imsxguy") != read.flags.npos) return std::nullopt;
    for (std::size_t at = 0; at < read.body.size(); ++at) {
        if (read.body[at] == '\\') {
            ++at;
        } else if (read.body[at] == '/') {
            return std::nullopt;
        }
    }
    return read;
}

// RE2 has no x flag: blanks and comments are removed here, but for those in a class or escaped.
std::string without_blanks(std::string_view body) {
    std::string out;
    bool in_class = false;
    for (std::size_t at = 0; at < body.size(); ++at) {
        const char c = body[at];
        if (c == '\\' && at + 1 < body.size()) {
            out += body.substr(at++, 2);
            continue;
        }
        if (!in_class && c == '#') break;
        if (!in_class && (c == ' ' || c == '\t')) continue;
        if (c == '[') in_class = true;
        if (c == ']') in_class = false;
        out += c;
    }
    return out;
}

std::string expression_of(std::string_view text) {
    const std::optional<Delimited> delimited = read_delimited(text);
    if (!delimited) return "(?m)" + std::string{text};
    const auto has = [&](char flag) {
        return delimited->flags.find(flag) != std::string_view::npos;
    };
    return std::string{"(?m"} + (has('i') ? "i" : "") + (has('s') ? "s" : "") + ")" +
           (has('x') ? without_blanks(delimited->body) : std::string{delimited->body});
}

bool is_plain(std::string_view text) {
    return text.find_first_of("\\.+*?()|[]{}^$") == text.npos && !read_delimited(text);
}

// Conservative: an escaped backslash before an A counts as \A too.
bool knows_text_ends(std::string_view expression) {
    for (const std::string_view sign : {"\\A", "\\z", "\\Z", "\\C"}) {
        if (expression.find(sign) != expression.npos) return true;
    }
    for (std::size_t at = expression.find("(?"); at != expression.npos;
         at = expression.find("(?", at + 2)) {
        const std::size_t end = expression.find_first_of(":)", at);
        if (expression.substr(at, end - at).find('-') != expression.npos) return true;
    }
    return false;
}

// memmem: many times faster than string_view::find where the first byte is frequent.
std::size_t find_literal(std::string_view text, std::size_t from, std::string_view literal) {
    const void* found =
        ::memmem(text.data() + from, text.size() - from, literal.data(), literal.size());
    if (found == nullptr) return Pattern::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace

struct Pattern::Compiled {
    std::string literal;
    std::unique_ptr<re2::RE2> expression;  // none: the literal reading is all there is
    std::string complaint;
    bool searches_blocks = true;
};

std::variant<Pattern, PatternFault> Pattern::parse(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (text.empty()) return PatternFault{"must not be empty"};
    if (text.size() > kMaxBytes) {
        return PatternFault{"must be at most " + std::to_string(kMaxBytes) + " bytes"};
    }
    if (text.find('\n') != text.npos) {
        return PatternFault{"must not hold a newline: it matches within one line"};
    }
    auto compiled = std::make_shared<Compiled>();
    compiled->literal = text;
    if (!is_plain(text)) {
        const std::string source = expression_of(text);
        re2::RE2::Options options;
        options.set_max_mem(kMaxMemory);
        options.set_log_errors(false);
        options.set_never_nl(true);
        auto expression = std::make_unique<re2::RE2>(source, options);
        if (expression->ok()) {
            compiled->expression = std::move(expression);
            compiled->searches_blocks = !knows_text_ends(source);
        } else {
            compiled->complaint = expression->error();
        }
    }
    return Pattern{std::move(compiled)};
}

bool Pattern::taken_literally() const noexcept {
    return !compiled_->complaint.empty();
}
const std::string& Pattern::complaint() const noexcept {
    return compiled_->complaint;
}
bool Pattern::searches_blocks() const noexcept {
    return compiled_->searches_blocks;
}

std::size_t Pattern::find_expression(std::string_view text, std::size_t from) const {
    if (!compiled_->expression) return npos;
    re2::StringPiece found;
    const re2::StringPiece searched{text.data(), text.size()};
    if (!compiled_->expression->Match(searched, from, text.size(), re2::RE2::UNANCHORED, &found,
                                      1)) {
        return npos;
    }
    return static_cast<std::size_t>(found.data() - text.data());
}

std::size_t Pattern::find(std::string_view line) const {
    return std::min(find_expression(line, 0), find_literal(line, 0, compiled_->literal));
}

Pattern::BlockSearch::BlockSearch(const Pattern& pattern, std::string_view block)
    : pattern_{pattern}, block_{block} {}

std::size_t Pattern::BlockSearch::next(std::size_t from) {
    // Each reading is searched again only once its last match lies behind: a reading that finds
    // nothing is searched once per block.
    if (!started_ || expression_at_ < from) expression_at_ = pattern_.find_expression(block_, from);
    if (!started_ || literal_at_ < from) {
        literal_at_ = find_literal(block_, from, pattern_.compiled_->literal);
    }
    started_ = true;
    return std::min(expression_at_, literal_at_);
}

}  // namespace bgshell::text
