#include "tools/await_tool.hpp"

#include "text/duration.hpp"
#include "tools/job_facts.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"
#include "tools/wait_text.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using jobs::AwaitedJob;
using jobs::AwaitOutcome;
using jobs::EndedBy;

constexpr jobs::Milliseconds kDefaultWait{45'000};

std::string_view word(EndedBy ended_by) {
    switch (ended_by) {
        case EndedBy::exit:
            return "exit";
        case EndedBy::match:
            return "match";
        case EndedBy::quiet:
            return "quiet";
        case EndedBy::input:
            return "input";
        case EndedBy::time:
            return "time";
    }
    return {};
}

std::string no_job_text(const AwaitOutcome& outcome, const Manner& manner) {
    std::string text = "No job is running";
    if (outcome.services_running > 0) {
        text += " except " + counted(outcome.services_running, "service", "services") + " (" +
                manner.tool("list") + ")";
    }
    return text + ". To pause, " + manner.tool("start") +
           " {\"command\":\"sleep 30\",\"wait_s\":35}";
}

std::optional<OutputBlock> block_of(const AwaitedJob& awaited) {
    if (!awaited.view) return std::nullopt;
    return output_block(awaited.job, *awaited.view, Reading::since_look);
}

// What stands after the name; `block`: the output is shown.
std::string status(const AwaitedJob& awaited, bool block) {
    const jobs::JobSnapshot& job = awaited.job;
    const bool ended = keeper::is_ended(job.row.state);
    std::string text = job_name(job) + " " + state_text(job);
    text += news_text(job, ended || block ? Unread::left_out : Unread::told);
    if (ended && !block) text += no_output_text(job);
    return text + match_clause(awaited.match);
}

void quote_match(const AwaitedJob& awaited, bool several, Answer& answer) {
    if (!awaited.match || !awaited.match->matched) return;
    for (const std::string& quote : match_quotes(*awaited.match)) {
        answer.quotes.push_back(several ? awaited.job.row.spec.id.text() + " " + quote : quote);
    }
}

json::object structure_of(const AwaitedJob& awaited) {
    json::object job = job_object(awaited.job);
    if (awaited.view) {
        job["output"] = output_object(*awaited.view);
    } else if (awaited.match && awaited.match->matched) {
        job["output"] = match_object(*awaited.match);
    }
    return job;
}

void render_one(const AwaitedJob& awaited, const AwaitOutcome& outcome, const Manner& manner,
                Answer& answer) {
    const jobs::JobSnapshot& job = awaited.job;
    const bool ended = keeper::is_ended(job.row.state);
    std::optional<OutputBlock> block = block_of(awaited);
    std::string line = status(awaited, block.has_value());
    if (outcome.ended_by == EndedBy::quiet && job.last_output_age) {
        line += "; quiet for " + text::format_duration(*job.last_output_age);
    }
    if (!ended && outcome.ended_by != EndedBy::match && outcome.ended_by != EndedBy::exit) {
        line += " (" + wait_text(outcome.wait, manner.tool("await")) + ")";
    }
    answer.lines.push_back(std::move(line));
    if (ended) {
        const bool cut = awaited.view && is_cut(*awaited.view);
        add(answer.facts, end_fact(job, shown(awaited.view), manner));
        answer.hint = end_hint(job, cut, manner);
        answer.is_error = is_bad_end(job);
    }
    add(answer.facts, leftovers_fact(job));
    if (awaited.view) add(answer.facts, view_facts(job, *awaited.view));
    for (std::string& fact : match_facts(awaited.match)) answer.facts.push_back(std::move(fact));
    quote_match(awaited, false, answer);
    if (answer.quotes.empty() && !block && !ended && !awaited.last_line.empty()) {
        answer.quotes.push_back(last_line_quote(awaited.last_line));
    }
    if (block) answer.outputs.push_back({job.row.spec.id, std::move(*block)});
}

void render_several(const AwaitOutcome& outcome, const Manner& manner, Answer& answer) {
    answer.several = true;
    answer.lines.push_back(std::to_string(outcome.ended_count) + " of " +
                           std::to_string(outcome.jobs.size() + outcome.omitted) + " ended (" +
                           wait_text(outcome.wait, manner.tool("await")) + ")");
    std::vector<std::string> pattern_facts;
    for (const AwaitedJob& awaited : outcome.jobs) {
        const jobs::JobSnapshot& job = awaited.job;
        std::optional<OutputBlock> block = block_of(awaited);
        answer.lines.push_back(status(awaited, block.has_value()));
        std::vector<std::string> facts;
        add(facts, cut_fact(job, shown(awaited.view), manner));
        if (!facts.empty() && !answer.hint) answer.hint = end_hint(job, true, manner);
        add(facts, leftovers_fact(job));
        if (awaited.view) add(facts, view_facts(job, *awaited.view));
        for (const std::string& fact : facts) {
            answer.facts.push_back(job.row.spec.id.text() + " " + fact);
        }
        if (pattern_facts.empty()) pattern_facts = match_facts(awaited.match);
        quote_match(awaited, true, answer);
        if (block) answer.outputs.push_back({job.row.spec.id, std::move(*block)});
    }
    if (outcome.omitted > 0) {
        answer.lines.push_back("and " + std::to_string(outcome.omitted) + " more (" +
                               manner.tool("list") + ")");
    }
    for (std::string& fact : pattern_facts) answer.facts.push_back(std::move(fact));
}

}  // namespace

jobs::AwaitRequest read_await(const Arguments& arguments, const Manner& manner) {
    jobs::AwaitRequest request;
    request.ids = arguments.texts("ids");
    if (arguments.text("mode") == "all") request.mode = jobs::AwaitMode::all;
    request.wait_for = arguments.find_text("wait_for");
    request.quiet = arguments.find_seconds("quiet_s");
    request.wait = {arguments.find_seconds("wait_s").value_or(kDefaultWait), manner.wait_ceiling};
    return request;
}

Answer render_await(const AwaitOutcome& outcome, const Manner& manner) {
    Answer answer;
    if (outcome.nothing_to_wait_for) {
        answer.lines.push_back(no_job_text(outcome, manner));
    } else if (outcome.jobs.size() == 1 && outcome.omitted == 0) {
        render_one(outcome.jobs.front(), outcome, manner, answer);
    } else {
        render_several(outcome, manner, answer);
    }
    answer.facts.insert(answer.facts.end(), outcome.facts.begin(), outcome.facts.end());
    json::array jobs;
    for (const AwaitedJob& awaited : outcome.jobs) {
        if (keeper::is_ended(awaited.job.row.state)) {
            answer.stated.push_back(awaited.job.row.spec.id);
        }
        jobs.push_back(structure_of(awaited));
    }
    if (!jobs.empty()) answer.structure["jobs"] = std::move(jobs);
    answer.structure["ended_by"] = word(outcome.ended_by);
    answer.structure["waited_ms"] = outcome.wait.waited.count();
    return answer;
}

}  // namespace bgshell::tools
