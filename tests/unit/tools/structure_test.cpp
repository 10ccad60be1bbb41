#include "tools/structure.hpp"

#include <doctest/doctest.h>

#include <boost/json/serialize.hpp>
#include <csignal>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;

TEST_CASE("structure: null, false and empty is left out, numbers never") {
    JobSnapshot job = running("k3f9x0ab", "", 2s);
    job.row.spec.shell.clear();
    job.log_path.clear();
    CHECK(boost::json::serialize(job_object(job)) ==
          R"({"id":"k3f9x0ab","state":"running","command":"make","cwd":"/home/user/api",)"
          R"("owner":"o4x8z1qk","scope":"/home/user/api","pid":41522,)"
          R"("created":"2026-11-30T12:04:11.250Z","elapsed_ms":2000,"runtime_limit_s":1800,)"
          R"("output_limit_bytes":33554432,"bytes_produced":0,"bytes_stored":0,"unread_bytes":0,)"
          R"("last_output_age_ms":2000})");
}

TEST_CASE("structure: an end") {
    JobSnapshot job = ended("k3f9x0ab", "x", JobState::failed, 1500ms);
    job.row.exit->signal = SIGSEGV;
    job.row.exit->capture_complete = false;
    const boost::json::object object = job_object(job);
    CHECK(object.at("signal").as_string() == "SIGSEGV");
    CHECK_FALSE(object.contains("exit_code"));
    CHECK_FALSE(object.at("capture_complete").as_bool());
    CHECK(object.at("ended").as_string() == "2026-11-30T12:04:12.750Z");
    CHECK(object.at("bytes_at_end").to_number<int>() == 0);
}

TEST_CASE("structure: the command is cut at 200 characters, but for details") {
    JobSnapshot job = running("k3f9x0ab", "x", 2s);
    for (int i = 0; i < 300; ++i) job.row.spec.command += "\xE2\x82\xAC";
    CHECK(job_object(job).at("command").as_string().size() == 4 + 196 * 3);
    CHECK(job_object(job, CommandText::whole).at("command").as_string().size() == 4 + 300 * 3);
}

TEST_CASE("structure: seconds") {
    CHECK(seconds(1800s) == 1800);
    CHECK(seconds(1500ms) == 1.5);
}
