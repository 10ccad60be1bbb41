// The tools' side of schema_oracle_test.py.
//
//   schema_probe check    reads lines {"schema": ..., "value": ...}, answers each by 1 or 0:
//   conforms schema_probe samples  writes lines {"tool": ..., "schema": ..., "value": ...}: output
//   schemas and
//                         the structures of rendered answers; and the input schemas with value {}
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

#include "tools/await_tool.hpp"
#include "tools/cancel_tool.hpp"
#include "tools/definitions.hpp"
#include "tools/error_text.hpp"
#include "tools/list_tool.hpp"
#include "tools/output_tool.hpp"
#include "tools/schema_check.hpp"
#include "tools/send_tool.hpp"
#include "tools/start_tool.hpp"
#include "unit/tools/sample_jobs.hpp"

namespace {

namespace json = boost::json;
using namespace bgshell::tools;
using namespace bgshell::tools::samples;

void print(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
}

std::string read_all() {
    std::string text;
    std::array<char, 65536> buffer{};
    for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), stdin)) > 0;) {
        text.append(buffer.data(), got);
    }
    return text;
}

void check_lines() {
    const std::string text = read_all();
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        const json::object question = json::parse(text.substr(from, end - from)).as_object();
        from = end + 1;
        const json::value& schema = question.at("schema");
        const bool good =
            is_supported_schema(schema) && conforms(schema.as_object(), question.at("value"));
        print(good ? "1" : "0");
    }
}

class Samples {
  public:
    Samples() {
        ToolSettings settings;
        settings.structured = StructureMode::on;
        definitions_ = make_definitions(settings);
        bgshell::jobs::NoticeItem item;
        item.job = failed("w9t40zrb", "api tests", 352s, 1);
        item.last_line = "1 failed";
        item.again = true;
        notices_.items.push_back(item);
        item.job = running("k3f9x0ab", "train", 27min);
        item.notice.kind = bgshell::store::NoticeKind::limit_near;
        notices_.items.push_back(item);
        notices_.lost_starts.push_back({running("k3f9x0ab", "x", 3s), false});
    }

    void write(Tool tool, const Answer& answer) {
        const NoticeText notices = notice_text(notices_, {}, "send");
        json::object line;
        line["tool"] = tool_name(tool);
        line["schema"] = *definitions_.at(static_cast<std::size_t>(tool)).output_schema;
        line["value"] = compose(answer, notices, "x7q2").structure;
        print(json::serialize(line));
    }

    void write_inputs() {
        for (const ToolDefinition& definition : definitions_) {
            json::object line;
            line["tool"] = definition.name + " input";
            line["schema"] = definition.input_schema;
            line["value"] = json::object{{"command", "x"}, {"id", "k3f9x0ab"}};
            print(json::serialize(line));
        }
    }

  private:
    std::vector<ToolDefinition> definitions_;
    bgshell::jobs::NoticeBlock notices_;
};

JobSnapshot full_job() {
    JobSnapshot job = ended("m7q2a7c3", "lint", JobState::failed, 12400ms);
    job.row.exit->signal = SIGSEGV;
    job.row.exit->reason = "user";
    job.row.spec.key = "k1";
    job.row.spec.service = true;
    job.leftovers = {{41544, "sleep 30", "root"}};
    job.leftover_count = 1;
    job.earlier_session = true;
    return job;
}

bgshell::jobs::OutputView full_view() {
    bgshell::jobs::OutputView view = whole("a\nb\n");
    view.omitted = {{{2, 3}, 1, 2}};
    view.omitted_bytes = 1;
    view.matches = {{0, 1, "a", false}, {2, 0, "b", true}};
    return view;
}

bgshell::jobs::MatchReport full_match() {
    bgshell::jobs::MatchReport match;
    match.matched = true;
    match.match = {10, 2, "ready", false};
    match.before = {"starting"};
    return match;
}

void write_samples() {
    Samples samples;
    const Manner manner;
    samples.write_inputs();
    for (const Tool tool :
         {Tool::start, Tool::await, Tool::output, Tool::send, Tool::cancel, Tool::list}) {
        samples.write(tool, error_answer(tool, manner, "no job \"x\"."));
    }

    bgshell::jobs::StartedJob started;
    started.job = full_job();
    started.view = full_view();
    started.reused = true;
    samples.write(Tool::start, render_start(started, manner));
    started.job = running("k3f9x0ab", "web", 1500ms, 1500ms);
    started.view.reset();
    samples.write(Tool::start, render_start(started, manner));
    bgshell::jobs::StartRefusedSlots refused;
    refused.running = {running("k3f9x0ab", "web", 2s), full_job()};
    samples.write(Tool::start, render_start(refused, manner));
    samples.write(Tool::start, render_start(bgshell::jobs::StartRefusedBudget{}, manner));

    bgshell::jobs::AwaitOutcome awaited;
    samples.write(Tool::await, render_await(awaited, manner));
    bgshell::jobs::AwaitedJob one;
    one.job = full_job();
    one.view = full_view();
    awaited.jobs.push_back(one);
    one.job = running("k3f9x0ab", "web", 2s);
    one.view.reset();
    one.match = full_match();
    awaited.jobs.push_back(one);
    for (const auto ended_by : {bgshell::jobs::EndedBy::exit, bgshell::jobs::EndedBy::match,
                                bgshell::jobs::EndedBy::quiet, bgshell::jobs::EndedBy::input,
                                bgshell::jobs::EndedBy::time}) {
        awaited.ended_by = ended_by;
        samples.write(Tool::await, render_await(awaited, manner));
    }

    bgshell::jobs::OutputOutcome output;
    output.job = full_job();
    output.view = full_view();
    samples.write(Tool::output, render_output(output, {}, manner));
    output.view.searched = true;
    samples.write(Tool::output, render_output(output, {}, manner));

    bgshell::jobs::SendOutcome sent;
    sent.job = running("k3f9x0ab", "web", 2s);
    sent.view = full_view();
    sent.match = full_match();
    samples.write(Tool::send, render_send(sent, {}, manner));
    sent.refused = true;
    samples.write(Tool::send, render_send(sent, {}, manner));

    bgshell::jobs::CancelOutcome cancelled;
    for (const auto result :
         {bgshell::jobs::CancelResult::ended, bgshell::jobs::CancelResult::already_ended,
          bgshell::jobs::CancelResult::leftovers_ended, bgshell::jobs::CancelResult::survivors}) {
        bgshell::jobs::CancelledJob job;
        job.job = full_job();
        job.result = result;
        job.signal_sent = SIGTERM;
        job.escalated = true;
        job.ports_in_use = {5432};
        job.survivors = {{41544, "postgres", "postgres"}};
        job.last_lines = "x\n";
        cancelled.jobs.push_back(job);
    }
    samples.write(Tool::cancel, render_cancel(cancelled, {}, manner));

    bgshell::jobs::ListOutcome listed;
    samples.write(Tool::list, render_list(listed, manner));
    for (const JobState state :
         {JobState::queued, JobState::running, JobState::succeeded, JobState::failed,
          JobState::cancelled, JobState::timed_out, JobState::output_limit, JobState::lost}) {
        listed.jobs.push_back(ended("m7q2a7c3", "x", state, 1s));
    }
    samples.write(Tool::list, render_list(listed, manner));
    listed.details = true;
    samples.write(Tool::list, render_list(listed, manner));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view mode = argc == 2 ? argv[1] : "";
    if (mode == "check") {
        check_lines();
    } else if (mode == "samples") {
        write_samples();
    } else {
        std::fputs("usage: schema_probe check|samples\n", stderr);
        return 2;
    }
    return 0;
}
