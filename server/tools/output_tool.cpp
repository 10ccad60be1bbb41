#include "tools/output_tool.hpp"

#include "tools/job_facts.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"

namespace bgshell::tools {
namespace {

// The output is in the answer twice where structure is sent too.
constexpr std::uint32_t kMostBytesTwice = 16'000;

store::Stream stream_of(const std::string& word) {
    if (word == "stdout") return store::Stream::out;
    if (word == "stderr") return store::Stream::err;
    return store::Stream::both;
}

std::uint32_t most_bytes(const Arguments& arguments, const Manner& manner,
                         std::vector<std::string>& facts) {
    constexpr std::uint32_t kDefault = 8000;
    const auto asked =
        static_cast<std::uint32_t>(arguments.find_whole("max_bytes").value_or(kDefault));
    if (!manner.structure || asked <= kMostBytesTwice) return asked;
    facts.push_back("max_bytes " + std::to_string(kMostBytesTwice) + ", not " +
                    std::to_string(asked) + " (the ceiling where structure is sent too)");
    return kMostBytesTwice;
}

// Why a view without text is empty, where line 1 cannot say it.
std::optional<std::string> empty_fact(const jobs::OutputOutcome& outcome,
                                      const jobs::OutputRequest& request) {
    const jobs::OutputView& view = outcome.view;
    if (outcome.unreadable) return std::nullopt;
    if (view.searched && view.matches.empty()) return no_match_text(outcome.job, view);
    if (view.searched || !view.text.empty() || !view.omitted.empty()) return std::nullopt;
    if (request.from && *request.from > 0) {
        return "nothing from byte " + std::to_string(*request.from) + " on: the log ends at " +
               std::to_string(view.range.to);
    }
    if (request.stream == store::Stream::both || outcome.job.bytes_produced == 0)
        return std::nullopt;
    return std::string{"nothing on "} +
           (request.stream == store::Stream::out ? "stdout" : "stderr");
}

}  // namespace

jobs::OutputRequest read_output(const Arguments& arguments, const Manner& manner,
                                std::vector<std::string>& facts) {
    jobs::OutputRequest request;
    request.id = arguments.text("id");
    request.from = arguments.find_whole("from");
    if (const auto lines = arguments.find_whole("tail_lines")) {
        request.tail_lines = static_cast<std::uint32_t>(*lines);
    }
    request.max_bytes = most_bytes(arguments, manner, facts);
    request.stream = stream_of(arguments.text("stream"));
    request.stream_given = arguments.has("stream");
    request.grep = arguments.find_text("grep");
    request.context_lines =
        static_cast<std::uint32_t>(arguments.find_whole("context_lines").value_or(0));
    return request;
}

bool shows_news(const jobs::OutputRequest& request) {
    return !request.from && !request.tail_lines && !request.grep && !request.stream_given;
}

Answer render_output(const jobs::OutputOutcome& outcome, const jobs::OutputRequest& request,
                     const Manner& manner) {
    const jobs::JobSnapshot& job = outcome.job;
    const jobs::OutputView& view = outcome.view;
    const bool ended = keeper::is_ended(job.row.state);
    const bool news = shows_news(request);
    std::optional<OutputBlock> block =
        output_block(job, view, news ? Reading::since_look : Reading::range);

    Answer answer;
    const bool all_shown = news && block && !view.again;
    std::string line = job_name(job) + " " + state_text(job) +
                       news_text(job, all_shown ? Unread::left_out : Unread::told);
    if (ended && news && !all_shown) line += no_output_text(job);
    answer.lines.push_back(std::move(line));
    add(answer.facts, empty_fact(outcome, request));
    if (is_cut(view) || view.rolled) answer.facts.push_back(log_fact(job, &view, manner));
    if (std::string gone = unsearched_text(view); view.searched && block && !gone.empty()) {
        answer.facts.push_back(std::move(gone));
    }
    if (view.pattern_literal) answer.facts.push_back("grep is no valid RE2: taken literally");
    answer.facts.insert(answer.facts.end(), outcome.facts.begin(), outcome.facts.end());
    add(answer.facts, leftovers_fact(job));
    add(answer.facts, view_facts(job, view, request.stream));
    if (request.from && *request.from > 0 && !view.searched && view.next < job.bytes_stored) {
        answer.hint = read_on_hint(job, view.next, manner);
    }
    if (block) answer.outputs.push_back({job.row.spec.id, std::move(*block)});
    if (ended) answer.stated.push_back(job.row.spec.id);
    if (!manner.structure) return answer;
    answer.structure["job"] = job_object(job);
    answer.structure["output"] = output_object(view);
    return answer;
}

}  // namespace bgshell::tools
