#include "tools/answer_budget.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>
#include <vector>

#include "text/json_size.hpp"

namespace bgshell::tools {
namespace {

using jobs::OutputView;

std::size_t size_of(std::string_view text) {
    return text::json_size(text) + 2;
}

std::size_t size_of(const boost::json::value& value);

std::size_t size_of(const boost::json::array& array) {
    std::size_t size = 2 + array.size();
    for (const auto& item : array) size += size_of(item);
    return size;
}

std::size_t size_of(const boost::json::object& object) {
    std::size_t size = 2 + 2 * object.size();
    for (const auto& [key, value] : object) size += size_of(std::string_view{key}) + size_of(value);
    return size;
}

std::size_t size_of(const boost::json::value& value) {
    if (const auto* text = value.if_string()) return size_of(std::string_view{*text});
    if (const auto* array = value.if_array()) return size_of(*array);
    if (const auto* object = value.if_object()) return size_of(*object);
    return boost::json::serialize(value).size();
}

std::size_t cuts(const OutputView& view) {
    return view.searched ? view.matches.size() : (view.text.empty() ? 0 : 1);
}

void cut(OutputView& view, std::size_t count) {
    if (count == 0) return;
    if (view.searched) {
        view.matches.resize(view.matches.size() - count);
        view.matches_first = std::min(view.matches_first, view.matches.size());
        return;
    }
    view.text.clear();
    view.omitted.assign(1, jobs::Omitted{view.range, 0, 0});
    view.omitted_bytes = view.range.size();
}

std::size_t cuts(const std::optional<OutputView>& view) {
    return view ? cuts(*view) : 0;
}

void cut(std::optional<OutputView>& view, std::size_t count) {
    if (view) cut(*view, count);
}

// What one of several jobs shows is cut whole.
std::size_t output_size(const jobs::AwaitedJob& job) {
    return job.view ? text::json_size(job.view->text) : 0;
}

void cut_output(jobs::AwaitedJob& job) {
    cut(job.view, 1);
}

std::size_t output_size(const jobs::CancelledJob& job) {
    return text::json_size(job.last_lines);
}

void cut_output(jobs::CancelledJob& job) {
    job.last_lines.clear();
}

template <class Job>
std::size_t cuts_of(const std::vector<Job>& jobs) {
    const auto outputs = std::count_if(jobs.begin(), jobs.end(),
                                       [](const Job& job) { return output_size(job) > 0; });
    return static_cast<std::size_t>(outputs) + jobs.size();
}

// Cuts outputs, the largest first; returns how many of `count` are left for when there are no more.
template <class Job>
std::size_t cut_outputs(std::vector<Job>& jobs, std::size_t count) {
    std::vector<std::pair<std::size_t, Job*>> outputs;
    for (Job& job : jobs) {
        if (const std::size_t size = output_size(job); size > 0) outputs.emplace_back(size, &job);
    }
    std::stable_sort(outputs.begin(), outputs.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    outputs.resize(std::min(outputs.size(), count));
    for (const auto& output : outputs) cut_output(*output.second);
    return count - outputs.size();
}

template <class Outcome>
void drop_last(Outcome& outcome, std::size_t count) {
    outcome.jobs.resize(outcome.jobs.size() - count);
    outcome.omitted += count;
}

}  // namespace

std::size_t result_bytes(std::size_t shared_by) {
    constexpr std::size_t kEnvelopeInBatch = 384;  // an id and no metadata
    if (shared_by <= 1) return kResultBytes;
    const std::size_t share = kAnswerBytes / shared_by;
    return share - std::min(share, kEnvelopeInBatch);
}

std::size_t written_size(const CallResult& result) {
    constexpr std::size_t kNames = 64;
    std::size_t size = kNames + size_of(result.content);
    if (result.structured) size += size_of(*result.structured);
    return size;
}

CallResult call_result(Written written, bool with_structure, bool is_error) {
    boost::json::object block;
    block["type"] = "text";
    block["text"] = written.text;
    CallResult result;
    result.content.push_back(std::move(block));
    if (with_structure) result.structured = std::move(written.structure);
    result.is_error = is_error;
    return result;
}

std::size_t cuts(const jobs::ListOutcome& outcome) {
    return outcome.jobs.size();
}

void cut(jobs::ListOutcome& outcome, std::size_t count) {
    drop_last(outcome, count);
}

std::size_t cuts(const jobs::StartOutcome& outcome) {
    if (const auto* started = std::get_if<jobs::StartedJob>(&outcome)) return cuts(started->view);
    const auto* refused = std::get_if<jobs::StartRefusedSlots>(&outcome);
    return refused == nullptr ? 0 : refused->running.size();
}

void cut(jobs::StartOutcome& outcome, std::size_t count) {
    if (auto* started = std::get_if<jobs::StartedJob>(&outcome)) {
        cut(started->view, count);
    } else if (auto* refused = std::get_if<jobs::StartRefusedSlots>(&outcome)) {
        refused->running.resize(refused->running.size() - count);
    }
}

std::size_t cuts(const jobs::AwaitOutcome& outcome) {
    return cuts_of(outcome.jobs);
}

void cut(jobs::AwaitOutcome& outcome, std::size_t count) {
    const std::size_t left = cut_outputs(outcome.jobs, count);
    if (left == 0) return;
    // Those whose end is told here stay longest.
    std::stable_partition(outcome.jobs.begin(), outcome.jobs.end(),
                          [](const jobs::AwaitedJob& job) { return job.ended_now; });
    drop_last(outcome, left);
}

std::size_t cuts(const jobs::OutputOutcome& outcome) {
    return cuts(outcome.view);
}

void cut(jobs::OutputOutcome& outcome, std::size_t count) {
    cut(outcome.view, count);
}

std::size_t cuts(const jobs::SendOutcome& outcome) {
    return cuts(outcome.view);
}

void cut(jobs::SendOutcome& outcome, std::size_t count) {
    cut(outcome.view, count);
}

std::size_t cuts(const jobs::CancelOutcome& outcome) {
    return cuts_of(outcome.jobs);
}

void cut(jobs::CancelOutcome& outcome, std::size_t count) {
    const std::size_t left = cut_outputs(outcome.jobs, count);
    if (left == 0) return;
    std::stable_partition(
        outcome.jobs.begin(), outcome.jobs.end(),
        [](const jobs::CancelledJob& job) { return job.result == jobs::CancelResult::survivors; });
    drop_last(outcome, left);
}

}  // namespace bgshell::tools
