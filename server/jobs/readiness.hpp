// Readiness: a job is ready when a line of its output matches the wait_for of its start. Others
// wait for it too, so the search goes on after the start has answered.
#pragma once

#include <memory>

#include "jobs/front_end.hpp"
#include "jobs/log_search.hpp"

namespace bgshell::jobs {

// Here and in the registry.
void become_ready(FrontEnd& front, Job& job);

// Goes on with `search` in the front end's scope until a match or the job's end. A job that becomes
// ready so is news to the next await.
void watch_readiness(FrontEnd& front, std::shared_ptr<Job> job, LogSearch search);

}  // namespace bgshell::jobs
