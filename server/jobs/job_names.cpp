#include "jobs/job_names.hpp"

#include <algorithm>
#include <utility>

#include "store/settle.hpp"
#include "text/quote.hpp"
#include "text/title.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kNamedInError = 5;

bool is_visible(const FrontEnd& front, const store::JobRow& row) {
    return row.spec.owner == front.owner || row.spec.scope == front.scope;
}

std::string named(const store::JobRow& row) {
    const auto& spec = row.spec;
    const auto title = spec.title.empty() ? text::title_of(spec.command) : spec.title;
    return spec.id.text() + " " + text::quote(title);
}

Error unknown(const FrontEnd& front, const std::string& name) {
    std::string text = "no job " + text::quote(name) + ".";
    const auto running = running_jobs(front);
    for (std::size_t i = 0; i < std::min(running.size(), kNamedInError); ++i) {
        text += (i == 0 ? " Running: " : ", ") + named(running[i]->row());
    }
    if (!running.empty()) text += ".";
    return {ErrorKind::unknown_job, text + " Others: list {}."};
}

Error ambiguous(const std::string& title, const std::vector<store::JobRow>& rows) {
    std::string text = std::to_string(rows.size()) + " jobs are titled " + text::quote(title) + ":";
    for (std::size_t i = 0; i < std::min(rows.size(), kNamedInError); ++i) {
        text += (i == 0 ? " " : ", ") + rows[i].spec.id.text();
    }
    return {ErrorKind::unknown_job, text + ". Give the id of one."};
}

Result<std::shared_ptr<Job>> by_title(const FrontEnd& front, const std::string& title,
                                      std::vector<store::JobRow> rows) {
    const auto runs_here = [&front](const store::JobRow& row) {
        return row.spec.owner == front.owner && !keeper::is_ended(row.state);
    };
    if (std::ranges::count_if(rows, runs_here) == 1) {
        return front.job_of(*std::ranges::find_if(rows, runs_here));
    }
    if (rows.size() == 1) return front.job_of(std::move(rows.front()));
    if (rows.empty()) return unknown(front, title);
    return ambiguous(title, rows);
}

}  // namespace

std::vector<std::shared_ptr<Job>> running_jobs(const FrontEnd& front) {
    std::vector<std::shared_ptr<Job>> running;
    for (const auto& [id, job] : front.jobs) {
        if (front.owns(*job) && !job->ended()) running.push_back(job);
    }
    std::ranges::sort(running, std::greater{},
                      [](const auto& job) { return job->row().spec.created; });
    return running;
}

asio::awaitable<Result<std::shared_ptr<Job>>> find_job(FrontEnd& front, std::string name,
                                                       Titles titles) {
    if (const auto id = keeper::JobId::parse(name)) {
        const auto known = front.jobs.find(*id);
        if (known != front.jobs.end() && is_visible(front, known->second->row())) {
            co_return known->second;
        }
        auto find = [id = *id, now = front.clock.wall()](store::Store::Opened& opened) {
            auto row = store::find_settled(opened.state, *opened.registry, id, now);
            // As it was, where nothing can be written.
            if (!row && !opened.registry->read_only()) row = opened.registry->find(id);
            return row;
        };
        auto row = co_await front.store.read(std::move(find));
        if (!row) co_return to_error(row.error());
        if (*row && is_visible(front, **row)) co_return front.job_of(std::move(**row));
    }
    if (titles == Titles::refused || name.empty()) co_return unknown(front, name);
    auto find = [name, owner = front.owner, scope = front.scope, now = front.clock.wall()](
                    store::Store::Opened& opened) -> store::Result<std::vector<store::JobRow>> {
        auto settled = store::settle_others(opened.state, *opened.registry, owner, now);
        if (!settled) return settled.error();
        return opened.registry->find_title(name, owner, scope);
    };
    auto rows = co_await front.store.read(std::move(find));
    if (!rows) co_return to_error(rows.error());
    co_return by_title(front, name, std::move(*rows));
}

asio::awaitable<Result<std::vector<std::shared_ptr<Job>>>> find_jobs(FrontEnd& front,
                                                                     std::vector<std::string> names,
                                                                     Titles titles) {
    std::vector<std::shared_ptr<Job>> found;
    for (const auto& name : names) {
        auto job = co_await find_job(front, name, titles);
        if (!job) co_return job.error();
        const auto same = [&job](const auto& other) { return other->id() == (*job)->id(); };
        if (std::ranges::none_of(found, same)) found.push_back(std::move(*job));
    }
    co_return found;
}

}  // namespace bgshell::jobs
