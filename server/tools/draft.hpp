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

    std::size_t cuts = 0;  // how many can be made, see answer_budget.hpp
    // Of what is still in it after so many cuts.
    std::function<Answer(std::size_t cuts)> render;
    std::function<Looks(std::size_t cuts)> looks;
    std::optional<jobs::JobId> started;
};

// An answer that never changes: an error.
[[nodiscard]] inline Draft fixed_draft(Answer answer) {
    Draft draft;
    draft.render = [kept = std::move(answer)](std::size_t) { return kept; };
    draft.looks = [](std::size_t) { return Draft::Looks{}; };
    return draft;
}

// `render(outcome)` gives the answer, `looks(outcome)` what telling it moves.
template <class Outcome, class Render, class Looks>
[[nodiscard]] Draft draft_of(Outcome outcome, Render render, Looks looks) {
    Draft draft;
    draft.cuts = tools::cuts(outcome);
    auto whole = std::make_shared<const Outcome>(std::move(outcome));
    auto after = [whole](std::size_t cuts, const auto& use) {
        if (cuts == 0) return use(*whole);
        Outcome shorter = *whole;
        tools::cut(shorter, cuts);
        return use(shorter);
    };
    draft.render = [after, render = std::move(render)](std::size_t cuts) {
        return after(cuts, render);
    };
    draft.looks = [after, looks = std::move(looks)](std::size_t cuts) {
        return after(cuts, looks);
    };
    return draft;
}

// How an answer is written.
struct Writing {
    std::vector<std::string> facts;  // on the arguments
    std::string send_tool;           // its published name
    std::string tag;                 // see compose
    bool with_structure = false;
    const HintCount* hints = nullptr;  // those already said; borrowed, may be null
    std::size_t most_bytes = kResultBytes;
};

struct FittedAnswer {
    CallResult result;               // its `offer` is still to be set
    std::vector<std::int64_t> rows;  // of the notices in it
    std::optional<HintKind> hint;    // the hint in it
    std::size_t cuts = 0;            // made in it
};

// Renders, with as few cuts as make the result fit (most_bytes): outputs, then jobs. Where all of
// them are not enough, notices are left out, which stay untold.
[[nodiscard]] FittedAnswer fit(const Draft& draft, const jobs::NoticeBlock& notices,
                               const Writing& writing);

}  // namespace bgshell::tools
