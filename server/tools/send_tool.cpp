#include "tools/send_tool.hpp"

#include "text/duration.hpp"
#include "text/utf8.hpp"
#include "tools/job_facts.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"
#include "tools/wait_text.hpp"

namespace bgshell::tools {
namespace {

constexpr jobs::Milliseconds kWaitAfterInput{500};
constexpr jobs::Milliseconds kWaitAlone{30'000};

Answer refused(const jobs::SendOutcome& outcome) {
    const jobs::JobSnapshot& job = outcome.job;
    Answer answer;
    if (keeper::is_ended(job.row.state)) {
        answer.lines.push_back(job_name(job) + " " + state_text(job) +
                               news_text(job, Unread::told) + ": nothing was sent");
        answer.stated.push_back(job.row.spec.id);
        if (outcome.waiting_bytes > 0) {
            answer.facts.push_back("of what was sent before it never read the last " +
                                   counted(outcome.waiting_bytes, "byte", "bytes"));
        }
    } else {
        answer.lines.push_back(job_name(job) + " has no input. Start it with open_stdin: true.");
    }
    add(answer.facts, outcome.facts);
    answer.structure["job"] = job_object(job);
    answer.is_error = true;
    return answer;
}

void tell_input(const jobs::SendOutcome& outcome, const jobs::SendRequest& request,
                Answer& answer) {
    if (outcome.input_closed) {
        answer.facts.push_back(outcome.taken_bytes == 0
                                   ? "its input is closed already: nothing was sent"
                                   : "the job closed its input before it read all of this");
        answer.is_error = true;
        return;
    }
    if (outcome.taken_bytes < request.text.size()) {
        answer.facts.push_back("took " + std::to_string(outcome.taken_bytes) + " of " +
                               std::to_string(request.text.size()) +
                               " bytes: the job reads too slowly; send the rest later");
        answer.is_error = true;
    }
    if (outcome.no_newline && outcome.taken_bytes == request.text.size()) {
        answer.facts.push_back(
            counted(text::count_characters(request.text), "character", "characters") +
            " typed, no newline: Enter was not pressed");
    }
    if (outcome.waiting_bytes > 0) {
        answer.facts.push_back(counted(outcome.waiting_bytes, "byte", "bytes") +
                               " of input not read by the job yet");
    }
}

}  // namespace

jobs::SendRequest read_send(const Arguments& arguments, const Manner& manner) {
    jobs::SendRequest request;
    request.id = arguments.text("id");
    request.text = arguments.text("text");
    request.eof = arguments.flag("eof");
    request.wait_for = arguments.find_text("wait_for");
    request.runtime_limit = arguments.find_seconds("runtime_limit_s");
    const bool sends = !request.text.empty() || request.eof;
    jobs::Milliseconds wait = sends ? kWaitAfterInput : kWaitAlone;
    if (!sends && !request.wait_for && request.runtime_limit) wait = jobs::Milliseconds{0};
    request.wait = {arguments.find_seconds("wait_s").value_or(wait), manner.wait_ceiling};
    return request;
}

Answer render_send(const jobs::SendOutcome& outcome, const jobs::SendRequest& request,
                   const Manner& manner) {
    if (outcome.refused) return refused(outcome);
    const jobs::JobSnapshot& job = outcome.job;
    const bool ended = keeper::is_ended(job.row.state);
    std::optional<OutputBlock> block;
    if (outcome.view) block = output_block(job, *outcome.view, Reading::since_look);

    Answer answer;
    const bool all_shown = block && !outcome.view->again;
    std::string line = job_name(job) + " " + state_text(job) +
                       news_text(job, all_shown ? Unread::left_out : Unread::told) +
                       match_clause(outcome.match);
    if (!ended && was_cut(outcome.wait)) {
        line += " (" + wait_text(outcome.wait, manner.tool("await")) + ")";
    }
    answer.lines.push_back(std::move(line));
    tell_input(outcome, request, answer);
    if (outcome.new_limit) {
        answer.facts.push_back("new limit: stopped in " +
                               text::format_duration(*outcome.new_limit));
    }
    add(answer.facts, cut_fact(job, shown(outcome.view), manner));
    for (std::string& fact : match_facts(outcome.match)) answer.facts.push_back(std::move(fact));
    answer.facts.insert(answer.facts.end(), outcome.facts.begin(), outcome.facts.end());
    add(answer.facts, leftovers_fact(job));
    if (outcome.view) add(answer.facts, view_facts(job, *outcome.view));
    if (outcome.match && outcome.match->matched && !block)
        answer.quotes = match_quotes(*outcome.match);
    if (block) answer.outputs.push_back({job.row.spec.id, std::move(*block)});
    if (ended) answer.stated.push_back(job.row.spec.id);
    answer.structure["job"] = job_object(job);
    if (outcome.view) answer.structure["output"] = output_object(*outcome.view);
    return answer;
}

}  // namespace bgshell::tools
