#include "tools/draft.hpp"

#include <algorithm>
#include <utility>

namespace bgshell::tools {
namespace {

FittedAnswer written(const Draft& draft, const jobs::NoticeBlock& notices, const Writing& writing,
                     std::size_t cuts, std::size_t notice_limit) {
    Answer answer = draft.render(cuts);
    answer.facts.insert(answer.facts.begin(), writing.facts.begin(), writing.facts.end());
    if (answer.hint && writing.hints != nullptr && !writing.hints->left(answer.hint->kind)) {
        answer.hint.reset();
    }
    NoticeText untold = notice_text(notices, answer.stated, writing.send_tool, notice_limit);
    FittedAnswer fitted;
    if (answer.hint) fitted.hint = answer.hint->kind;
    const bool is_error = answer.is_error;
    fitted.result =
        call_result(compose(std::move(answer), untold, writing.tag, writing.with_structure),
                    writing.with_structure, is_error);
    fitted.rows = std::move(untold.rows);
    fitted.cuts = cuts;
    return fitted;
}

bool fits(const FittedAnswer& answer, const Writing& writing) {
    return written_size(answer.result) <= writing.most_bytes;
}

}  // namespace

FittedAnswer fit(const Draft& draft, const jobs::NoticeBlock& notices, const Writing& writing) {
    std::size_t notice_limit = kNoticesOfOneAnswer;
    FittedAnswer whole = written(draft, notices, writing, 0, notice_limit);
    if (fits(whole, writing)) return whole;
    FittedAnswer shortened = written(draft, notices, writing, draft.cuts, notice_limit);
    if (!fits(shortened, writing)) {
        do {
            notice_limit /= 2;
            shortened = written(draft, notices, writing, draft.cuts, notice_limit);
        } while (notice_limit > 0 && !fits(shortened, writing));
        return shortened;
    }
    // From the short end in growing steps, then halving: nothing that is much longer than what fits
    // is rendered again and again.
    std::size_t too_few = 0;
    std::size_t step = 16;
    while (shortened.cuts - too_few > 1) {
        const std::size_t half = (shortened.cuts - too_few) / 2;
        const std::size_t cuts = shortened.cuts - std::min(step, half);
        FittedAnswer tried = written(draft, notices, writing, cuts, notice_limit);
        if (fits(tried, writing)) {
            shortened = std::move(tried);
            step *= 2;
        } else {
            too_few = cuts;
        }
    }
    return shortened;
}

}  // namespace bgshell::tools
