#include "tools/answer_budget.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "tools/await_tool.hpp"
#include "tools/cancel_tool.hpp"
#include "tools/draft.hpp"
#include "tools/list_tool.hpp"
#include "tools/output_tool.hpp"
#include "tools/start_tool.hpp"
#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;

namespace {

// The longest text that escapes worst: 200 characters, six bytes each when written.
std::string nasty_title() {
    std::string title;
    for (int i = 0; i < 200; ++i) title += '\x01';
    return title;
}

bgshell::jobs::NoticeBlock many_notices() {
    bgshell::jobs::NoticeBlock block;
    for (int i = 0; i < 1000; ++i) {
        bgshell::jobs::NoticeItem item;
        item.notice.row = i;
        item.job = failed("m7q2a7c3", nasty_title(), 1s, 1);
        item.last_line = std::string(200, '"');
        block.items.push_back(item);
    }
    return block;
}

// One line of valid JSON within the budget, of an answer with structure and many notices.
template <class Outcome, class Render>
FittedAnswer check_fits(Outcome outcome, Render render,
                        const bgshell::jobs::NoticeBlock& notices = many_notices()) {
    const Draft draft =
        draft_of(std::move(outcome), render, [](const Outcome&) { return Draft::Looks{}; });
    FittedAnswer fitted = fit(draft, notices, Writing{{}, "send", "x7q2", true});
    CHECK(written_size(fitted.result) <= kResultBytes);
    const std::string line = boost::json::serialize(fitted.result.content) +
                             boost::json::serialize(*fitted.result.structured);
    CHECK(line.size() <= kAnswerBytes);
    CHECK(line.find('\n') == line.npos);
    return fitted;
}

}  // namespace

TEST_CASE("budget: a list of 100 jobs with nasty titles") {
    bgshell::jobs::ListOutcome outcome;
    for (int i = 0; i < 100; ++i) {
        outcome.jobs.push_back(i < 16 ? running("k3f9x0ab", nasty_title(), 1s)
                                      : failed("m7q2a7c3", nasty_title(), 1s, 1));
        outcome.jobs.back().row.spec.command = std::string(4096, '"');
        outcome.jobs.back().row.spec.cwd = "/" + std::string(1000, '\\');
    }
    outcome.running_total = 16;
    outcome.ended_total = 84;
    const FittedAnswer fitted =
        check_fits(outcome, [](const auto& told) { return render_list(told, Manner{}); });
    const auto& structure = *fitted.result.structured;
    const std::size_t shown = structure.at("jobs").as_array().size();
    CHECK(shown > 0);
    CHECK(shown < 100);
    // Every job that is not there is counted.
    CHECK(shown + structure.at("totals").at("omitted").to_number<std::size_t>() == 100);
}

TEST_CASE("budget: 32000 bytes of control characters") {
    bgshell::jobs::OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", nasty_title(), 1s);
    outcome.view = whole(std::string(32000, '\x01'));
    printed(outcome.job, 32000);
    const FittedAnswer fitted = check_fits(outcome, [](const auto& told) {
        return render_output(told, bgshell::jobs::OutputRequest{}, Manner{});
    });
    const auto& output = fitted.result.structured->at("output").as_object();
    CHECK(output.at("omitted_bytes").to_number<int>() == 32000);
    const std::string text{fitted.result.content[0].at("text").as_string()};
    CHECK(text.find("[... 0-32000 omitted ...]") != text.npos);
}

TEST_CASE("budget: the ends of 256 jobs at once") {
    bgshell::jobs::AwaitOutcome outcome;
    for (int i = 0; i < 256; ++i) {
        bgshell::jobs::AwaitedJob job;
        job.job = failed("k3f9x0ab", nasty_title(), 1s, 1);
        printed(job.job, 1000);
        job.ended_now = true;
        job.view = whole(std::string(1000, '"'));
        outcome.jobs.push_back(job);
    }
    outcome.ended_count = 256;
    const FittedAnswer fitted =
        check_fits(outcome, [](const auto& told) { return render_await(told, Manner{}); });
    const std::string text{fitted.result.content[0].at("text").as_string()};
    CHECK(text.starts_with("256 of 256 ended"));
    CHECK(text.find(" more (list)") != text.npos);
}

TEST_CASE("budget: a start that is refused by 256 jobs, and a cancel of as many") {
    bgshell::jobs::StartRefusedSlots refused;
    refused.slots = 256;
    bgshell::jobs::CancelOutcome cancelled;
    for (int i = 0; i < 256; ++i) {
        refused.running.push_back(running("k3f9x0ab", nasty_title(), 1s));
        bgshell::jobs::CancelledJob job;
        job.job = ended("k3f9x0ab", nasty_title(), JobState::cancelled, 1s);
        job.last_lines = std::string(1000, '\\');
        cancelled.jobs.push_back(job);
    }
    const FittedAnswer answer =
        check_fits(bgshell::jobs::StartOutcome{refused},
                   [](const auto& told) { return render_start(told, Manner{}); });
    const std::string text{answer.result.content[0].at("text").as_string()};
    CHECK(text.find(" more\n") != text.npos);
    check_fits(cancelled, [](const auto& told) {
        return render_cancel(told, bgshell::jobs::CancelRequest{}, Manner{});
    });
}

TEST_CASE("budget: one job whose every part is as long as it can be") {
    const std::string path = "/" + std::string(4094, '\x01');
    bgshell::jobs::JobSnapshot job = failed("k3f9x0ab", nasty_title(), 1s, 1);
    job.row.spec.command = std::string(4096, '\x01');
    job.row.spec.cwd = job.row.spec.shell = job.row.spec.scope = job.log_path = path;
    job.row.spec.key = std::string(200, '\x01');
    for (int i = 0; i < 1500; ++i) {
        job.leftovers.push_back({41000 + i, std::string(300, '\x01'), "postgres"});
    }
    job.leftover_count = 1500;
    // The job itself is still there, whatever its parts give up.
    const auto check_shown = [](const auto& outcome, auto render) {
        check_fits(outcome, render);
        FittedAnswer answer = check_fits(outcome, render, {});
        const auto& structure = *answer.result.structured;
        CHECK((structure.contains("job") || structure.at("jobs").as_array().size() == 1));
        return std::string{answer.result.content[0].at("text").as_string()};
    };

    bgshell::jobs::ListOutcome listed;
    listed.details = true;
    listed.jobs.push_back(job);
    check_shown(listed, [](const auto& told) { return render_list(told, Manner{}); });

    bgshell::jobs::CancelledJob stopped;
    stopped.job = job;
    stopped.result = bgshell::jobs::CancelResult::survivors;
    stopped.survivors = job.leftovers;
    for (int port = 1; port < 8000; ++port) {
        stopped.ports_free.push_back(static_cast<std::uint16_t>(port));
        stopped.ports_in_use.push_back(static_cast<std::uint16_t>(port + 8000));
    }
    bgshell::jobs::CancelOutcome cancelled;
    cancelled.jobs.push_back(stopped);
    const std::string text = check_shown(cancelled, [](const auto& told) {
        return render_cancel(told, bgshell::jobs::CancelRequest{}, Manner{});
    });
    CHECK(text.find("1500 processes survive") != text.npos);
    CHECK(text.find("\nand 1484 more") != text.npos);
    CHECK(text.find("and 7983 more free") != text.npos);

    bgshell::jobs::StartedJob started;
    started.job = job;
    started.view = whole(std::string(8000, '"'));
    check_shown(bgshell::jobs::StartOutcome{started},
                [](const auto& told) { return render_start(told, Manner{}); });
}

TEST_CASE("budget: answers that share a line share its bytes") {
    CHECK(result_bytes(1) == kResultBytes);
    for (std::size_t count = 2; count <= 100; ++count) {
        CHECK(count * (result_bytes(count) + 300) <= kAnswerBytes);
    }
    bgshell::jobs::ListOutcome outcome;
    for (int i = 0; i < 100; ++i) outcome.jobs.push_back(failed("m7q2a7c3", "x", 1s, 1));
    const Draft draft = draft_of(
        outcome, [](const auto& told) { return render_list(told, Manner{}); },
        [](const auto&) { return Draft::Looks{}; });
    Writing writing{{}, "send", "x7q2", false};
    writing.most_bytes = result_bytes(20);
    CHECK(written_size(fit(draft, {}, writing).result) <= result_bytes(20));
}

TEST_CASE("budget: what fits is left as it is") {
    bgshell::jobs::OutputOutcome outcome;
    outcome.job = running("k3f9x0ab", "x", 1s);
    outcome.view = whole("hello\n");
    printed(outcome.job, 6);
    const Draft draft = draft_of(
        outcome,
        [](const auto& told) {
            return render_output(told, bgshell::jobs::OutputRequest{}, Manner{});
        },
        [](const auto&) { return Draft::Looks{}; });
    const FittedAnswer fitted = fit(draft, {}, Writing{{}, "send", "x7q2", false});
    CHECK_FALSE(fitted.result.structured);
    CHECK(fitted.result.content.size() == 1);
    CHECK(fitted.result.content[0].at("text").as_string() ==
          "k3f9x0ab \"x\" running 1 s of 30 min\noutput (untrusted):\nhello");
}

TEST_CASE("budget: no more is cut than must be, and little is rendered to find that out") {
    bgshell::jobs::AwaitOutcome outcome;
    for (std::size_t i = 0; i < 256; ++i) {
        bgshell::jobs::AwaitedJob job;
        job.job = failed("k3f9x0ab", "x", 1s, 1);
        printed(job.job, 1000);
        job.ended_now = true;
        job.view = whole(std::string(1000 + i, 'x'));
        outcome.jobs.push_back(job);
    }
    // Jobs leave where 256 do not fit without output, else outputs do, the largest first.
    for (const std::size_t jobs : {256U, 40U}) {
        outcome.jobs.resize(jobs);
        std::size_t rendered = 0;
        const Draft draft = draft_of(
            outcome,
            [&rendered](const auto& told) {
                rendered += told.jobs.size();
                return render_await(told, Manner{});
            },
            [](const auto& told) { return Draft::Looks(told.jobs.size()); });
        const Writing writing{{}, "send", "x7q2", true};
        const FittedAnswer fitted = fit(draft, {}, writing);
        CHECK(written_size(fitted.result) <= kResultBytes);
        CHECK(rendered < 5 * 256U);
        REQUIRE(fitted.cuts > 0);
        CHECK((fitted.cuts > jobs) == (jobs == 256));
        CHECK(draft.looks(fitted.cuts).size() == std::min(jobs, 2 * jobs - fitted.cuts));
        const NoticeText none;
        CHECK(written_size(call_result(compose(draft.render(fitted.cuts - 1), none, "x7q2"), true,
                                       false)) > kResultBytes);
    }
}

TEST_CASE("budget: the largest output is cut first") {
    bgshell::jobs::CancelOutcome outcome;
    for (const std::string& lines : {std::string(3, 'x'), std::string(2, '\x01'), std::string{}}) {
        bgshell::jobs::CancelledJob job;
        job.last_lines = lines;
        outcome.jobs.push_back(job);
    }
    REQUIRE(cuts(outcome) == 5);
    cut(outcome, 1);
    CHECK(outcome.jobs[0].last_lines == "xxx");
    CHECK(outcome.jobs[1].last_lines.empty());
    CHECK(outcome.omitted == 0);
    cut(outcome, cuts(outcome));
    CHECK(outcome.jobs.empty());
    CHECK(outcome.omitted == 3);
}
