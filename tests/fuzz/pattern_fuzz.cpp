// A pattern (the first line of the input) and a log (the rest): searching by blocks and in pieces
// finds what matching every line on its own finds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "text/line_search.hpp"
#include "text/pattern.hpp"
#include "text/terminal_cleaner.hpp"

using namespace bgshell::text;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = data[0] + 1U;
    const std::string input{data + 1, data + size};
    const std::string_view text = std::string_view{input}.substr(0, input.find('\n'));
    const std::string_view log =
        std::string_view{input}.substr(std::min(text.size() + 1, input.size()));

    const auto parsed = Pattern::parse(text);
    if (!std::holds_alternative<Pattern>(parsed)) return 0;
    const Pattern& pattern = std::get<Pattern>(parsed);

    LineSearch search{pattern, {}};
    for (std::size_t at = 0; at < log.size(); at += piece) search.feed(at, log.substr(at, piece));
    search.finish();

    std::uint64_t expected = 0;
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t end = log.find('\n', at);
        const bool ended = end != log.npos;
        const std::string_view line = log.substr(at, ended ? end - at : end);
        if (pattern.matches(ended ? clean_ended_line(line) : clean(line))) ++expected;
        if (!ended) break;
        at = end + 1;
    }
    if (search.total() != expected) std::abort();
    return 0;
}
