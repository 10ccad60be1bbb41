#include "jobs/readiness.hpp"

#include <utility>

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

asio::awaitable<void> watch(FrontEnd& front, std::shared_ptr<Job> job, LogSearch search) {
    Waiter waiter{front.executor, front.clock};
    waiter.listen(job->bell());
    for (;;) {
        const bool ended = job->ended();
        co_await search.advance(front);
        if (search.found()) break;
        if (ended) co_return;
        co_await waiter.wait_until(search.due());
    }
    job->ready_untold = true;
    become_ready(front, *job);
}

}  // namespace

void become_ready(FrontEnd& front, Job& job) {
    job.set_ready();
    auto work = [id = job.id()](store::Store::Opened& opened) {
        return opened.registry->record_ready(id);
    };
    front.store.post(std::move(work));
}

void watch_readiness(FrontEnd& front, std::shared_ptr<Job> job, LogSearch search) {
    front.tasks.spawn(watch(front, std::move(job), std::move(search)));
}

}  // namespace bgshell::jobs
