// FrontEnd: what the operations of one front end share: who it is, its surroundings, and the jobs,
// notices and looks that it holds in memory. Nothing here is not also in the store. Loop thread
// only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/error.hpp"
#include "jobs/job.hpp"
#include "jobs/keeper_pool.hpp"
#include "jobs/line_counters.hpp"
#include "jobs/looks.hpp"
#include "jobs/notice_board.hpp"
#include "jobs/offers.hpp"
#include "jobs/outcomes.hpp"
#include "jobs/path_probe.hpp"
#include "jobs/settings.hpp"
#include "jobs/told_queue.hpp"
#include "platform/clock.hpp"
#include "platform/task_scope.hpp"
#include "store/store.hpp"

namespace bgshell::jobs {

struct FrontEnd {
    FrontEnd(boost::asio::any_io_executor executor, store::Store& store, Settings settings,
             Surroundings surroundings, const platform::Clock& clock);

    boost::asio::any_io_executor executor;
    store::Store& store;
    const Settings settings;
    const Surroundings surroundings;
    const platform::Clock& clock;
    const std::string owner;

    // Fixed by the first tools/call.
    std::string client;
    std::string scope;
    std::string state_path;

    // Jobs that are followed here, by id; those that ended stay while something of them lives.
    std::unordered_map<keeper::JobId, std::shared_ptr<Job>> jobs;
    NoticeBoard notices;
    Offers offers;
    Looks looks;
    LineCounters line_counters;
    // How many bytes were sent to jobs that have gone and never read by them, where it is not 0.
    std::unordered_map<keeper::JobId, std::size_t> unread_input;
    KeeperPool keepers;
    ToldQueue told_queue;
    PathProbe path_probe;
    std::vector<std::function<void(const JobSnapshot&)>> end_handlers;
    std::function<void(const std::string&)> failure_handler;
    platform::TaskScope tasks;  // last: its coroutines use all the others

    [[nodiscard]] bool owns(const Job& job) const { return job.row().spec.owner == owner; }
    // The job of this row: the one on the table, else one that only this call holds.
    [[nodiscard]] std::shared_ptr<Job> job_of(store::JobRow row) const;
    // A notice of a job of ours, on the board and, unless the registry made it with its cause,
    // there too. Its number on the board.
    std::int64_t add_notice(store::NoticeKind kind, const std::shared_ptr<Job>& job,
                            std::string text, bool in_registry_already);
    // What is told leaves the board and moves looks, here and in the registry.
    void told(const std::string& caller, const Offers::Told& told);
    // The offset up to which `caller` has seen the job; 0 until it is known otherwise.
    [[nodiscard]] std::uint64_t look(const Caller& caller, const Job& job) const;
    // Asks the registry once for a job that may have been seen before this front end lived.
    boost::asio::awaitable<Result<void>> load_look(std::string caller, std::shared_ptr<Job> job);
};

// Of the store, for a caller.
[[nodiscard]] Error to_error(const store::Error& error);

}  // namespace bgshell::jobs
