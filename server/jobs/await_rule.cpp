#include "jobs/await_rule.hpp"

#include <algorithm>

namespace bgshell::jobs {

namespace {

std::optional<EndedBy> any_over(std::span<const AwaitFacts> jobs) {
    if (std::ranges::any_of(jobs, &AwaitFacts::end_untold)) return EndedBy::exit;
    if (std::ranges::any_of(jobs, &AwaitFacts::matched)) return EndedBy::match;
    if (std::ranges::all_of(jobs, &AwaitFacts::ended)) return EndedBy::exit;
    if (std::ranges::any_of(jobs, [](const AwaitFacts& job) { return job.quiet && !job.ended; })) {
        return EndedBy::quiet;
    }
    return std::nullopt;
}

std::optional<EndedBy> all_over(std::span<const AwaitFacts> jobs) {
    const auto over = [](const AwaitFacts& job) {
        return job.ended || job.matched || job.quiet || job.ready_service;
    };
    if (!std::ranges::all_of(jobs, over)) return std::nullopt;
    if (std::ranges::all_of(jobs, &AwaitFacts::ended)) return EndedBy::exit;
    const auto matched = [](const AwaitFacts& job) { return job.matched || job.ready_service; };
    return std::ranges::any_of(jobs, matched) ? EndedBy::match : EndedBy::quiet;
}

}  // namespace

std::optional<EndedBy> await_over(AwaitMode mode, std::span<const AwaitFacts> jobs) {
    return mode == AwaitMode::any ? any_over(jobs) : all_over(jobs);
}

}  // namespace bgshell::jobs
