// Any bytes through the text layer: cleaning, cutting, quoting. Whatever comes, the results are
// valid, within their budgets, and the same however the bytes arrive.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/head_tail_cut.hpp"
#include "text/json_size.hpp"
#include "text/quote.hpp"
#include "text/terminal_cleaner.hpp"
#include "text/title.hpp"
#include "text/utf8.hpp"

using namespace bgshell::text;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::size_t budget = data[0];
    const std::size_t piece = data[1] % 16 + 1U;
    const std::string bytes{data + 2, data + size};
    const std::string_view raw = bytes;

    const std::string text = clean(raw);
    require(is_valid_utf8(text) && is_clean(text));
    TerminalCleaner cleaner;
    std::string in_pieces;
    for (std::size_t at = 0; at < raw.size(); at += piece)
        cleaner.feed(raw.substr(at, piece), in_pieces);
    cleaner.finish(in_pieces);
    require(in_pieces == text);

    const Head head = cut_head(raw, budget);
    require(json_size(head.text) <= budget && head.text == clean(raw.substr(0, head.to)));
    const Tail tail = cut_tail(raw, budget);
    require(json_size(tail.text) <= budget && tail.text == clean(raw.substr(tail.from)));
    require(whole_start(raw, budget % (raw.size() + 1)) <= raw.size());
    require(whole_length(raw) <= raw.size());

    require(is_valid_utf8(sanitize(raw)));
    const std::string quoted = quote(raw, 40);
    require(is_valid_utf8(quoted) && count_characters(quoted) <= 42);
    require(count_characters(title_of(raw)) <= 60);
    return 0;
}
