// The birth of a job: its directory and admission in the store, then a keeper with its start order.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "jobs/front_end.hpp"
#include "jobs/working_directory.hpp"
#include "store/job_directory.hpp"

namespace bgshell::jobs {

// What is to be run, checked.
struct BirthPlan {
    store::JobRow row;  // without an id yet
    std::string script;
    WorkingDirectory directory;
    std::vector<std::string> call_environment;
    std::optional<std::string> login_path;
};

struct Born {
    std::shared_ptr<Job> job;  // on the table, followed, in phase Starting
    std::uint32_t slots_used = 0;
    std::uint64_t output_limit_bytes = 0;       // what was admitted
    std::optional<store::JobRow> same_command;  // another one that runs the same in the same place
};
using Birth = std::variant<Born, store::KeyTaken, store::SlotsFull, store::BudgetFull>;

// Before a limit refuses or gives less, every job that counts against it is settled. After an error
// nothing of the job is left. A cancellation of the coroutine ends the wait for a keeper, which
// comes first; from then on it is not thrown, and the caller allows that again.
boost::asio::awaitable<Result<Birth>> give_birth(FrontEnd& front, BirthPlan plan);

}  // namespace bgshell::jobs
