#include "tools/answer_budget.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

namespace bgshell::tools {
namespace {

std::size_t weight(const jobs::OutputView& view) {
    std::size_t bytes = view.text.size();
    for (const jobs::Match& match : view.matches) bytes += match.text.size();
    return bytes;
}

bool empty_out(jobs::OutputView& view) {
    if (view.searched) {
        if (view.matches.empty()) return false;
        view.matches.resize(view.matches.size() / 2);
        view.matches_first = std::min(view.matches_first, view.matches.size());
        return true;
    }
    if (view.text.empty()) return false;
    view.text.clear();
    view.omitted.assign(1, jobs::Omitted{view.range, 0, 0});
    view.omitted_bytes = view.range.size();
    return true;
}

bool empty_out(std::optional<jobs::OutputView>& view) {
    return view && empty_out(*view);
}

template <class Job>
bool drop_last(std::vector<Job>& jobs, std::uint64_t& omitted) {
    if (jobs.empty()) return false;
    const std::size_t taken = std::max<std::size_t>(jobs.size() / 10, 1);
    jobs.resize(jobs.size() - taken);
    omitted += taken;
    return true;
}

}  // namespace

std::size_t written_size(const CallResult& result) {
    constexpr std::size_t kNames = 64;
    std::size_t size = kNames + boost::json::serialize(result.content).size();
    if (result.structured) size += boost::json::serialize(*result.structured).size();
    return size;
}

CallResult call_result(Written written, bool with_structure, bool is_error) {
    boost::json::object block;
    block["type"] = "text";
    block["text"] = std::move(written.text);
    CallResult result;
    result.content.push_back(std::move(block));
    if (with_structure) result.structured = std::move(written.structure);
    result.is_error = is_error;
    return result;
}

bool shrink(jobs::ListOutcome& outcome) {
    return drop_last(outcome.jobs, outcome.omitted);
}

bool shrink(jobs::StartOutcome& outcome) {
    if (auto* started = std::get_if<jobs::StartedJob>(&outcome)) return empty_out(started->view);
    auto* refused = std::get_if<jobs::StartRefusedSlots>(&outcome);
    if (refused == nullptr || refused->running.empty()) return false;
    refused->running.resize(refused->running.size() / 2);
    return true;
}

bool shrink(jobs::AwaitOutcome& outcome) {
    const auto largest = std::max_element(
        outcome.jobs.begin(), outcome.jobs.end(), [](const auto& a, const auto& b) {
            return (a.view ? weight(*a.view) : 0) < (b.view ? weight(*b.view) : 0);
        });
    if (largest == outcome.jobs.end()) return false;
    if (empty_out(largest->view)) return true;
    // Those whose end is told here stay longest.
    std::stable_partition(outcome.jobs.begin(), outcome.jobs.end(),
                          [](const jobs::AwaitedJob& job) { return job.ended_now; });
    return drop_last(outcome.jobs, outcome.omitted);
}

bool shrink(jobs::OutputOutcome& outcome) {
    return empty_out(outcome.view);
}

bool shrink(jobs::SendOutcome& outcome) {
    return empty_out(outcome.view);
}

bool shrink(jobs::CancelOutcome& outcome) {
    const auto largest = std::max_element(
        outcome.jobs.begin(), outcome.jobs.end(),
        [](const auto& a, const auto& b) { return a.last_lines.size() < b.last_lines.size(); });
    if (largest == outcome.jobs.end()) return false;
    if (!largest->last_lines.empty()) {
        largest->last_lines.clear();
        return true;
    }
    std::stable_partition(
        outcome.jobs.begin(), outcome.jobs.end(),
        [](const jobs::CancelledJob& job) { return job.result == jobs::CancelResult::survivors; });
    return drop_last(outcome.jobs, outcome.omitted);
}

}  // namespace bgshell::tools
