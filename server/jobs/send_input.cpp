#include "jobs/send_input.hpp"

#include <algorithm>
#include <utility>

#include "jobs/job_names.hpp"
#include "jobs/log_search.hpp"
#include "jobs/log_views.hpp"
#include "jobs/snapshot.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;
using platform::Instant;

namespace {

constexpr std::size_t kMaxText = 1024 * 1024;  // of one call
// How long a program is silent that has said all it has to say for now. Shells and REPLs answer
// within a few milliseconds; a longer silence only delays the answer.
constexpr Milliseconds kSettled{150};

bool types(const SendRequest& request) {
    return !request.text.empty() || request.eof;
}

// Only a new limit: nothing can come of it that is worth waiting for.
bool waits(const SendRequest& request) {
    return types(request) || request.wait_for || !request.runtime_limit;
}

void set_limit(FrontEnd& front, Job& job, Milliseconds limit) {
    job.set_limit(limit, front.clock.now());
    auto work = [id = job.id(), limit](store::Store::Opened& opened) {
        return opened.registry->record_limit(id, limit.count());
    };
    front.store.post(std::move(work));
}

// Until a match, the end, silence after something came (only where no match is waited for), or
// time.
asio::awaitable<void> wait_for_answer(FrontEnd& front, std::shared_ptr<Job> job, LogSearch* search,
                                      Instant sent, std::uint64_t level, Instant deadline) {
    Waiter waiter{front.executor, front.clock};
    waiter.listen(job->bell());
    for (;;) {
        if (search != nullptr) {
            co_await search->advance(front);
            if (search->found()) co_return;
        }
        const auto now = front.clock.now();
        if (job->ended() || now >= deadline) co_return;
        auto next = search == nullptr ? deadline : std::min(deadline, search->due());
        const bool came = job->level().produced() > level && job->level().last_output() > sent;
        if (search == nullptr && came && job->input().idle()) {
            const auto settled = *job->level().last_output() + kSettled;
            if (now >= settled) co_return;
            next = std::min(next, settled);
        }
        co_await waiter.wait_until(next);
    }
}

}  // namespace

asio::awaitable<Result<SendOutcome>> send_input(FrontEnd& front, Caller caller,
                                                SendRequest request) {
    const auto called = front.clock.now();
    if (request.text.size() > kMaxText) {
        co_return Error{ErrorKind::bad_argument, "text must be at most 1048576 bytes, got " +
                                                     std::to_string(request.text.size()) +
                                                     ". Nothing was sent."};
    }
    auto found = co_await find_job(front, request.id, Titles::accepted);
    if (!found) co_return found.error();
    const auto job = std::move(*found);
    if (!front.owns(*job)) {
        co_return Error{
            ErrorKind::not_permitted,
            job->id().text() + " belongs to another session; only that one can send to it."};
    }
    std::optional<LogSearch> search;
    if (request.wait_for) {
        auto pattern = parse_pattern("wait_for", *request.wait_for);
        if (!pattern) co_return pattern.error();
        const auto& look = front.looks.at(caller.key(), job->id());
        const auto from = types(request) ? job->level().stored() : look.search_from();
        search.emplace(job, std::move(*pattern), from);
    }

    SendOutcome outcome;
    outcome.refused = job->ended() || (types(request) && !job->row().spec.open_stdin);
    if (outcome.refused) {
        const auto unread = front.unread_input.find(job->id());
        outcome.waiting_bytes = job->input().lost() + job->input().waiting();
        if (unread != front.unread_input.end()) outcome.waiting_bytes = unread->second;
        outcome.job = co_await full_snapshot(front, std::move(caller), job);
        co_return outcome;
    }
    if (request.runtime_limit) {
        outcome.new_limit = std::min(*request.runtime_limit, front.settings.runtime_limit_max);
        set_limit(front, *job, *outcome.new_limit);
    }
    const auto level = job->level().produced();
    outcome.input_closed = types(request) && job->input().closed();
    if (!outcome.input_closed) {
        outcome.taken_bytes = job->type(request.text);
        // The end comes after all of the text; the rest of it is still to be sent by the caller.
        if (request.eof && outcome.taken_bytes == request.text.size()) job->close_input();
    }

    if (waits(request)) {
        LogSearch* watched = search ? &*search : nullptr;
        co_await wait_for_answer(front, job, watched, called, level, called + request.wait.used());
    }
    outcome.wait = request.wait.report(called, front.clock.now());

    outcome.waiting_bytes = job->input().waiting();
    if (!request.text.empty() && job->input().broken()) outcome.input_closed = true;
    outcome.no_newline = !request.text.empty() && !request.eof && !request.text.ends_with('\n') &&
                         job->level().produced() == level;
    if (search) {
        const auto& look = front.looks.at(caller.key(), job->id());
        outcome.match = search->report(look, called, front.clock.now());
    }
    if (waits(request)) {
        auto view = co_await view_since_look(front, caller, job, kViewBytes);
        if (view) {
            outcome.view = std::move(*view);
        } else {
            outcome.facts.push_back(view.error().text());  // what was typed is typed
        }
    }
    outcome.job = co_await full_snapshot(front, std::move(caller), job);
    co_return outcome;
}

}  // namespace bgshell::jobs
