// Output of a command inside an answer: always last, under a header that says what range of the
// stored log it is.
//
//   block  = header ":" "\n" text
//   header = "output (untrusted)"                                   whole and short
//          | "new output (untrusted), bytes 8120-9004"
//          | "output (untrusted), bytes 0-21400, omitted 1480-19780 (262 lines)"
//            "(at least 262 lines)" where some of it has rolled off
//   text   = what the command printed, with "[... 1480-19780 omitted ...]" on a line where it is
//   cut
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "jobs/outcomes.hpp"

namespace bgshell::tools {

struct OutputBlock {
    std::string header;  // without the colon
    std::string text;
};

enum class Reading : std::uint8_t {
    since_look,  // what is new
    range,       // a part that was asked for
};

// nullopt where there is nothing to show: then line 1 says so.
[[nodiscard]] std::optional<OutputBlock> output_block(const jobs::JobSnapshot& job,
                                                      const jobs::OutputView& view,
                                                      Reading reading);

// The structure's `output`.
[[nodiscard]] boost::json::object output_object(const jobs::OutputView& view);

// "No line matches in 0-33554432, the whole log." Of a search without a match.
[[nodiscard]] std::string no_match_text(const jobs::JobSnapshot& job, const jobs::OutputView& view);

// "8388608-20000000 was rolled off" of a search in a log with holes, else empty.
[[nodiscard]] std::string unsearched_text(const jobs::OutputView& view);

// "1480-19780"
[[nodiscard]] std::string range_text(const store::Range& range);

// Something of the range is not shown.
[[nodiscard]] bool is_cut(const jobs::OutputView& view);

}  // namespace bgshell::tools
