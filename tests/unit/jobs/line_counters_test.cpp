#include "jobs/line_counters.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace bgshell::jobs {
namespace {

TEST_CASE("of more jobs than are kept only those asked for longest ago are counted anew") {
    constexpr int kJobs = 70;
    LineCounters counters;
    std::vector<keeper::JobId> jobs;
    std::vector<std::shared_ptr<LineCounter>> lent;
    for (int i = 10; i < 10 + kJobs; ++i) {
        jobs.push_back(keeper::JobId::parse("k3f9x0" + std::to_string(i)).value());
        lent.push_back(counters.take(jobs.back()));
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) counters.put_back(jobs[i], lent[i]);
    int same = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) same += counters.take(jobs[i]) == lent[i] ? 1 : 0;
    CHECK(same == 64);
    CHECK(counters.take(jobs.back()) != lent.back());  // it is lent already
}

}  // namespace
}  // namespace bgshell::jobs
