#include "keeper/job_state.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <set>

namespace {

using namespace bgshell::keeper;

TEST_CASE("every job state has its word, and only ends are ended") {
    struct Row {
        JobState state;
        const char* word;
        bool ended;
    };
    const Row rows[] = {
        {JobState::queued, "queued", false},
        {JobState::running, "running", false},
        {JobState::succeeded, "succeeded", true},
        {JobState::failed, "failed", true},
        {JobState::cancelled, "cancelled", true},
        {JobState::timed_out, "timed_out", true},
        {JobState::output_limit, "output_limit", true},
        {JobState::lost, "lost", true},
    };
    for (const Row& row : rows) {
        CAPTURE(row.word);
        CHECK(to_string(row.state) == row.word);
        CHECK(parse_job_state(row.word) == row.state);
        CHECK(is_ended(row.state) == row.ended);
    }
    for (const char* word : {"", "Running", "running ", "dead"}) {
        CAPTURE(word);
        CHECK_FALSE(parse_job_state(word));
    }
}

TEST_CASE("output limit modes have their words") {
    CHECK(to_string(OutputLimitMode::roll) == "roll");
    CHECK(to_string(OutputLimitMode::stop) == "stop");
    CHECK(parse_output_limit_mode("roll") == OutputLimitMode::roll);
    CHECK(parse_output_limit_mode("stop") == OutputLimitMode::stop);
    CHECK_FALSE(parse_output_limit_mode("rolling"));
}

TEST_CASE("a job id is 8 lower-case Crockford characters, the first a letter") {
    for (const char* good : {"k3f9x0ab", "a0000000", "zzzzzzzz"}) {
        CAPTURE(good);
        const auto id = JobId::parse(good);
        REQUIRE(id);
        CHECK(id->text() == good);
    }
    for (const char* bad : {"", "k3f9x0a", "k3f9x0abc", "3kf9x0ab", "K3f9x0ab", "k3f9x0aI",
                            "kilo0000", "k3f9-0ab", "k3f9x0u0", "k3f9x0ol", "../../.."}) {
        CAPTURE(bad);
        CHECK_FALSE(JobId::parse(bad));
    }
    CHECK_FALSE(JobId::parse(std::string_view{"k3f9\0x0a", 8}));
    CHECK(JobId{}.empty());
}

TEST_CASE("random job ids are valid and differ") {
    std::set<JobId> seen;
    for (int i = 0; i < 1000; ++i) {
        const JobId id = JobId::random();
        CHECK(JobId::parse(id.text()) == id);
        seen.insert(id);
    }
    CHECK(seen.size() == 1000);
}

TEST_CASE("random job ids use every character in every place") {
    std::set<char> first;
    std::set<char> last;
    for (int i = 0; i < 5000; ++i) {
        const JobId id = JobId::random();
        first.insert(id.text().front());
        last.insert(id.text().back());
    }
    CHECK(first.size() == 22);
    CHECK(last.size() == 32);
}

TEST_CASE("signals have names") {
    CHECK(signal_name(SIGTERM) == "SIGTERM");
    CHECK(signal_name(SIGKILL) == "SIGKILL");
    CHECK(signal_name(SIGHUP) == "SIGHUP");
    CHECK(signal_name(42) == "SIG42");
    for (int number = 1; number < NSIG; ++number) {
        CAPTURE(number);
        CHECK(parse_signal_name(signal_name(number)) == number);
    }
    for (const char* bad :
         {"", "SIG", "TERM", "sigterm", "SIG0", "SIG9", "SIG99", "SIG042", "SIGTERMX"}) {
        CAPTURE(bad);
        CHECK_FALSE(parse_signal_name(bad));
    }
}

}  // namespace
