// Where raw output may be cut, and as much of its beginning or its end as a budget allows. Budgets
// count the cleaned text as it is written in JSON (json_size). A cut falls between lines, or
// between characters where one line is longer than half of the budget; never inside a character or
// a control sequence.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace bgshell::text {

// The first position >= `at` that is inside neither a character nor a control sequence.
[[nodiscard]] std::size_t whole_start(std::string_view raw, std::size_t at) noexcept;
// The length of `raw` without a character or a control sequence that its end cuts.
[[nodiscard]] std::size_t whole_length(std::string_view raw) noexcept;

struct Head {
    std::string text;
    std::size_t to = 0;    // `text` is raw [0, to), cleaned
    std::size_t size = 0;  // json_size of `text`
};
[[nodiscard]] Head cut_head(std::string_view raw, std::size_t budget);

struct Tail {
    std::string text;
    std::size_t from = 0;   // `text` is raw [from, raw.size()), cleaned
    std::size_t lines = 0;  // a last one without a newline counts
    std::size_t size = 0;   // json_size of `text`
};
[[nodiscard]] Tail cut_tail(std::string_view raw, std::size_t budget,
                            std::size_t max_lines = std::numeric_limits<std::size_t>::max());

}  // namespace bgshell::text
