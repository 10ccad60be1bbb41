#include "jobs/front_end.hpp"

#include <exception>
#include <utility>

#include "platform/exception_text.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

Error to_error(const store::Error& error) {
    return {ErrorKind::unavailable, error.text()};
}

FrontEnd::FrontEnd(asio::any_io_executor executor_, store::Store& store_, Settings settings_,
                   Surroundings surroundings_, const platform::Clock& clock_)
    : executor{std::move(executor_)},
      store{store_},
      settings{std::move(settings_)},
      surroundings{std::move(surroundings_)},
      clock{clock_},
      owner{JobId::random().text() + JobId::random().text()},
      keepers{executor, tasks},
      told_queue{executor, store, tasks, owner},
      path_probe{executor, store, settings, surroundings, clock},
      tasks{executor, [this](const std::exception_ptr& failure) {
                if (failure_handler) failure_handler(platform::exception_text(failure));
            }} {}

std::shared_ptr<Job> FrontEnd::job_of(store::JobRow row) const {
    const auto known = jobs.find(row.spec.id);
    if (known != jobs.end()) return known->second;
    return std::make_shared<Job>(std::move(row), clock);
}

std::int64_t FrontEnd::add_notice(store::NoticeKind kind, const std::shared_ptr<Job>& job,
                                  std::string text, bool in_registry_already) {
    if (!in_registry_already) {
        auto work = [id = job->id(), kind, text](store::Store::Opened& opened) {
            return opened.registry->add_notice(id, kind, text);
        };
        store.post(std::move(work));
    }
    return notices.add(kind, job, std::move(text), clock.wall());
}

void FrontEnd::told(const std::string& caller, const Offers::Told& told) {
    for (const auto& notice : notices.take(told.notices)) {
        told_queue.add(ToldQueue::ToldNotice{notice.job->id(), notice.kind});
    }
    for (const auto& move : told.looks) {
        auto& look = looks.at(caller, move.job);
        if (move.search) look.pass(*move.search);
        if (move.to == 0) continue;
        look.offset = std::max(look.offset.value_or(0), move.to);
        told_queue.add(store::Seen{caller, move.job, move.to});
    }
}

std::uint64_t FrontEnd::look(const Caller& caller, const Job& job) const {
    const auto* look = looks.find(caller.key(), job.id());
    return look == nullptr ? 0 : look->offset.value_or(0);
}

asio::awaitable<Result<void>> FrontEnd::load_look(std::string caller, std::shared_ptr<Job> job) {
    // Nobody has seen a job of ours before we lived: the owner is new with each front end.
    if (owns(*job) || looks.at(caller, job->id()).offset) co_return Result<void>{};
    auto work = [caller, id = job->id()](store::Store::Opened& opened) {
        return opened.registry->look(caller, id);
    };
    const auto offset = co_await store.read(std::move(work));
    if (!offset) co_return to_error(offset.error());
    auto& look = looks.at(caller, job->id());
    if (!look.offset) look.offset = *offset;
    co_return Result<void>{};
}

}  // namespace bgshell::jobs
