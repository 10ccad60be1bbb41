// Pattern: the one pattern syntax of all tools. It is read in two ways, and a line counts if either
// finds something in it:
//   - RE2, per line: ^ and $ are the line's ends and nothing matches across a newline; or /re/flags
//   with
//     flags of "imsx" (g, u, y, known from elsewhere, say nothing here);
//   - the text literally, so `(gdb) ` and `$ ` find what they show.
// Lines are cleaned ones (TerminalCleaner). Memory of the matching is bounded (4 MiB), its time is
// linear.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace bgshell::text {

class Pattern;

// Why a text is no pattern, e.g. "must not be empty": to be said after the name of the field.
struct PatternFault {
    std::string rule;
};

class Pattern {
  public:
    static constexpr std::size_t npos = std::string_view::npos;
    static constexpr std::size_t kMaxBytes = 4096;

    // A fault only if `text` is empty, longer than kMaxBytes, or holds a newline other than at its
    // end (which is dropped: a pattern matches within a line).
    [[nodiscard]] static std::variant<Pattern, PatternFault> parse(std::string_view text);

    // The text is no valid RE2, so only the literal reading is left.
    [[nodiscard]] bool taken_literally() const noexcept;
    // RE2's complaint where it is taken literally, e.g. "missing ): (foo".
    [[nodiscard]] const std::string& complaint() const noexcept;

    // Where the first match begins in one line (without its newline); npos: nowhere.
    [[nodiscard]] std::size_t find(std::string_view line) const;
    [[nodiscard]] bool matches(std::string_view line) const { return find(line) != npos; }

    // Whether many lines can be searched at once: not where the pattern can tell the text's ends
    // from a line's (\A, \z, a changed m flag).
    [[nodiscard]] bool searches_blocks() const noexcept;

    // Looks for the matching lines of a block of lines, in order. Only where searches_blocks().
    class BlockSearch {
      public:
        // `block` outlives the search. A newline at its end would make an empty line of its own.
        BlockSearch(const Pattern& pattern, std::string_view block);
        // Where the first match at or behind `from` begins; npos: nowhere. `from` is the beginning
        // of a line and never goes back.
        [[nodiscard]] std::size_t next(std::size_t from);

      private:
        const Pattern& pattern_;
        std::string_view block_;
        std::size_t expression_at_ = 0;
        std::size_t literal_at_ = 0;
        bool started_ = false;
    };

  private:
    struct Compiled;
    explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_{std::move(compiled)} {}
    [[nodiscard]] std::size_t find_expression(std::string_view text, std::size_t from) const;

    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace bgshell::text
