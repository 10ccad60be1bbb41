// Answer: one result before it is written, and how it becomes a text block and a structure.
//
// The text is, in this order: lines, facts, notices, one hint, quotes, outputs. Nothing follows the
// outputs, so that nothing a command prints can pass for a line of ours. Without the outputs it is
// the structure's `summary`.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/outcomes.hpp"
#include "tools/hints.hpp"
#include "tools/manner.hpp"
#include "tools/notice_block.hpp"
#include "tools/output_block.hpp"

namespace bgshell::tools {

struct Answer {
    struct Output {
        jobs::JobId job;
        OutputBlock block;
    };

    std::vector<std::string> lines;  // line 1, and a line for each job where there are several
    std::vector<std::string> facts;
    std::optional<Hint> hint;
    std::vector<std::string> quotes;  // `last line (untrusted): "..."`
    std::vector<Output> outputs;
    bool several = false;             // of several jobs: outputs are told apart by a tag
    boost::json::object structure;    // without `summary` and `notices`
    std::vector<jobs::JobId> stated;  // jobs whose end this answer states
    bool is_error = false;
};

struct Written {
    std::string text;
    boost::json::object structure;
};

// `tag` is drawn at random for this answer, so that no command can print a header of another
// output; needed where there are several. Without structure, Written::structure is empty.
[[nodiscard]] Written compose(Answer answer, const NoticeText& notices, std::string_view tag,
                              bool with_structure = true);

}  // namespace bgshell::tools
