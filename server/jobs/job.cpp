#include "jobs/job.hpp"

#include <utility>

namespace bgshell::jobs {

using platform::Instant;
using platform::Milliseconds;

Job::Job(store::JobRow row) : row_{std::move(row)}, phase_{Starting{}} {}

Job::Job(store::JobRow row, const platform::Clock& clock) : row_{std::move(row)} {
    const auto now = clock.now();
    if (keeper::is_ended(row_.state)) {
        phase_ = Ended{now - (clock.wall() - row_.ended)};
    } else {
        phase_ = Running{now - (clock.wall() - row_.spec.created)};
        limit_from_ = std::get<Running>(phase_).started;
    }
    take_records(now);
}

void Job::take_records(Instant now) {
    if (row_.exit) {
        level_.grow(row_.exit->bytes_produced, row_.exit->bytes_stored, now);
        leftovers_ = row_.exit->leftovers;
        leftover_count_ = row_.exit->leftover_count;
    }
    if (row_.after) {
        level_.grow(row_.after->bytes_produced, row_.after->bytes_stored, now);
        leftovers_.clear();
        leftover_count_ = 0;
    }
}

Milliseconds Job::elapsed(Instant now) const {
    if (row_.exit) return Milliseconds{row_.exit->elapsed_ms};
    if (ended()) return row_.ended - row_.spec.created;
    if (const auto* running = std::get_if<Running>(&phase_)) {
        return std::chrono::duration_cast<Milliseconds>(now - running->started);
    }
    return Milliseconds{0};
}

std::optional<Instant> Job::limit_near_at() const {
    if (starting()) return std::nullopt;
    return limit_from_ + Milliseconds{row_.spec.runtime_limit_ms} * 9 / 10;
}

void Job::connect(std::unique_ptr<KeeperLink> link) {
    link_ = std::move(link);
}

void Job::disconnect() {
    link_.reset();
    leftovers_.clear();
    leftover_count_ = 0;
    bell_.ring();
    limit_bell_.ring();
}

void Job::apply(const keeper::Started& started, Instant now) {
    if (!starting()) return;
    row_.pid = started.shell_pid;
    holes_supported_ = started.holes_supported;
    phase_ = Running{now};
    limit_from_ = now;
    send_input();
    bell_.ring();
    limit_bell_.ring();
}

void Job::apply(const keeper::StartFailed&) {}  // the end that follows says why

void Job::apply(const keeper::Grew& grew, Instant now) {
    level_.grow(grew.bytes_produced, grew.bytes_stored, now);
    bell_.ring();
}

void Job::apply(const keeper::Wrote& wrote) {
    input_.answered(wrote);
    send_input();
    bell_.ring();
}

bool Job::apply(const keeper::Ended& ended_message, Instant now) {
    if (ended()) return false;
    row_.state = ended_message.record.state;
    row_.ended = ended_message.record.ended;
    row_.exit = ended_message.record;
    take_records(now);
    end(now);
    return true;
}

void Job::apply(const keeper::Leftovers& leftovers) {
    leftovers_ = leftovers.processes;
    leftover_count_ = leftovers.count;
    bell_.ring();
}

void Job::apply(const keeper::Stopped& stopped) {
    stopped_ = stopped;
    ++stopped_count_;
    bell_.ring();
}

void Job::observe_log(std::uint64_t size, Instant written) {
    level_.grow(size, size, written);
}

bool Job::apply(store::JobRow row, Instant now) {
    const bool ends = !ended() && keeper::is_ended(row.state);
    row.ready = row.ready || row_.ready;
    row_ = std::move(row);
    take_records(now);
    if (ends) end(now);
    return ends;
}

void Job::end(Instant now) {
    phase_ = Ended{now};
    bell_.ring();
    limit_bell_.ring();
}

std::size_t Job::type(std::string_view text) {
    const std::size_t taken = input_.push(text);
    send_input();
    return taken;
}

void Job::close_input() {
    input_.push_eof();
    send_input();
}

void Job::send_input() {
    if (!link_ || starting()) return;
    if (auto packet = input_.next()) link_->send(*packet);
}

void Job::set_limit(Milliseconds limit, Instant now) {
    row_.spec.runtime_limit_ms = limit.count();
    limit_from_ = now;
    if (link_) link_->send(keeper::Limit{static_cast<std::uint64_t>(limit.count())});
    limit_bell_.ring();
}

void Job::set_ready() {
    row_.ready = true;
    bell_.ring();
}

}  // namespace bgshell::jobs
