// Draft: an answer that can still be made shorter: the outcome it is rendered from, and what
// telling it moves.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "jobs/job_manager.hpp"
#include "tools/answer.hpp"
#include "tools/answer_budget.hpp"

namespace bgshell::tools {

struct Draft {
    using Looks = std::vector<jobs::JobManager::LookMove>;

    std::function<Answer()> render;
    std::function<bool()> shrink;  // one step; false: it cannot be shorter
    std::function<Looks()> looks;  // of what is still in it
    std::optional<jobs::JobId> started;
};

// An answer that never changes: an error.
[[nodiscard]] inline Draft fixed_draft(Answer answer) {
    Draft draft;
    draft.render = [kept = std::move(answer)] { return kept; };
    draft.shrink = [] { return false; };
    draft.looks = [] { return Draft::Looks{}; };
    return draft;
}

// `render(outcome)` gives the answer, `looks(outcome)` what telling it moves.
template <class Outcome, class Render, class Looks>
[[nodiscard]] Draft draft_of(Outcome outcome, Render render, Looks looks) {
    auto kept = std::make_shared<Outcome>(std::move(outcome));
    Draft draft;
    draft.render = [kept, render = std::move(render)] { return render(*kept); };
    draft.shrink = [kept] { return tools::shrink(*kept); };
    draft.looks = [kept, looks = std::move(looks)] { return looks(*kept); };
    return draft;
}

// How an answer is written.
struct Writing {
    std::vector<std::string> facts;  // on the arguments
    std::string send_tool;           // its published name
    std::string tag;                 // see compose
    bool with_structure = false;
    const HintCount* hints = nullptr;  // those already said; borrowed, may be null
};

struct FittedAnswer {
    CallResult result;               // its `offer` is still to be set
    std::vector<std::int64_t> rows;  // of the notices in it
    std::optional<HintKind> hint;    // the hint in it
};

// Renders, and shortens until the result fits (kResultBytes): outputs, then jobs, then notices,
// which stay untold.
[[nodiscard]] FittedAnswer fit(const Draft& draft, const jobs::NoticeBlock& notices,
                               const Writing& writing);

}  // namespace bgshell::tools
