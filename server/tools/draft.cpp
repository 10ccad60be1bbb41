#include "tools/draft.hpp"

namespace bgshell::tools {

FittedAnswer fit(const Draft& draft, const jobs::NoticeBlock& notices, const Writing& writing) {
    std::size_t notice_limit = kNoticesOfOneAnswer;
    for (;;) {
        Answer answer = draft.render();
        answer.facts.insert(answer.facts.begin(), writing.facts.begin(), writing.facts.end());
        if (answer.hint && writing.hints != nullptr && !writing.hints->left(answer.hint->kind)) {
            answer.hint.reset();
        }
        NoticeText untold = notice_text(notices, answer.stated, writing.send_tool, notice_limit);
        FittedAnswer fitted;
        fitted.result = call_result(compose(answer, untold, writing.tag), writing.with_structure,
                                    answer.is_error);
        if (written_size(fitted.result) > kResultBytes) {
            if (draft.shrink()) continue;
            if (notice_limit > 0) {
                notice_limit /= 2;
                continue;
            }
        }
        fitted.rows = std::move(untold.rows);
        if (answer.hint) fitted.hint = answer.hint->kind;
        return fitted;
    }
}

}  // namespace bgshell::tools
