#include "keeper/capture.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "keeper/deadline.hpp"

namespace bgshell::keeper {
namespace {

using platform::Instant;
using Clock = std::chrono::steady_clock;

constexpr platform::Milliseconds kGatherWait{1};  // more gains nothing
constexpr platform::Milliseconds kIdle{100};
constexpr platform::Milliseconds kRetry{1000};
// Virtual size; a large default stack could be backed by a huge page.
constexpr std::size_t kStackBytes = 256 * 1024;

}  // namespace

platform::Outcome<std::unique_ptr<Capture>> Capture::prepare() {
    auto buffer = CaptureBuffer::create();
    if (!buffer) return buffer.error();
    auto to_control = WakeSignal::create();
    if (!to_control) return to_control.error();
    auto to_capture = WakeSignal::create();
    if (!to_capture) return to_capture.error();
    std::unique_ptr<Capture> capture{
        new Capture{std::move(*to_control), std::move(*to_capture), std::move(*buffer)}};

    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, kStackBytes);
    const int error =
        ::pthread_create(&capture->thread_, &attributes, &Capture::thread_main, capture.get());
    ::pthread_attr_destroy(&attributes);
    if (error != 0) return platform::errno_code(error);
    capture->joinable_ = true;
    return capture;
}

Capture::Capture(WakeSignal to_control, WakeSignal to_capture, CaptureBuffer buffer)
    : memory_{MemoryKills::find()},
      buffer_{std::move(buffer)},
      to_control_{std::move(to_control)},
      to_capture_{std::move(to_capture)} {}

Capture::~Capture() {
    if (!joinable_) return;
    {
        const std::lock_guard work{work_};
        if (!records_) finished_ = true;
    }
    to_capture_.give();
    ::pthread_join(thread_, nullptr);
}

// ---- called by the control thread

void Capture::begin(OutputPipes pipes, std::optional<LogWriter> log, RecordWriter records) {
    {
        const std::lock_guard work{work_};
        if (pipes.err) {
            sources_[0].stream = IndexKind::out;
            sources_[1].stream = IndexKind::err;
        }
        sources_[0].pipe = std::move(pipes.out);
        sources_[1].pipe = std::move(pipes.err);
        for (Source& source : sources_) {
            const int capacity = source.pipe ? ::fcntl(source.pipe.get(), F_GETPIPE_SZ) : 0;
            source.pace = PipePace{static_cast<std::size_t>(std::max(capacity, 0))};
        }
        log_ = std::move(log);
        records_ = std::move(records);
        memory_.count_from_now();
    }
    commands_waiting_.store(true);
    to_capture_.give();
}

Capture::Events Capture::take_events() {
    to_control_.clear();
    const std::lock_guard lock{mutex_};
    return std::exchange(events_, {});
}

Capture::Level Capture::level() const noexcept {
    // In this order, so that no more ever seems stored than produced.
    const std::uint64_t stored = stored_.load();
    return {.produced = produced_.load(), .stored = stored};
}

void Capture::shell_ended(ExitRecord draft, Below below) {
    {
        const std::lock_guard lock{mutex_};
        command_end_ = std::move(draft);
        command_below_ = below;
    }
    commands_waiting_.store(true);
    if (below == Below::nothing) {
        const std::unique_lock work{work_, std::try_to_lock};
        if (work) (void)step();
    }
    to_capture_.give();
}

void Capture::finish(AfterRecord draft) {
    {
        const std::lock_guard lock{mutex_};
        command_finish_ = std::move(draft);
    }
    commands_waiting_.store(true);
    to_capture_.give();
}

// ---- the capture thread

void* Capture::thread_main(void* self) {
    static_cast<Capture*>(self)->run();
    return nullptr;
}

void Capture::run() {
    const std::lock_guard work{work_};
    while (!finished_) {
        const Round round = step();
        // After the news is out, because the front end waits for that and not for the disk.
        if (std::exchange(sync_due_, false)) (void)records_->sync_exit();
        if (!finished_) wait(round);
    }
}

Capture::Round Capture::step() {
    if (commands_waiting_.exchange(false)) take_commands();
    const Round round = read_pipes();
    if (round.total > 0) publish();
    settle(round);
    return round;
}

void Capture::take_commands() {
    to_capture_.clear();
    const std::lock_guard lock{mutex_};
    if (auto draft = std::exchange(command_end_, {})) {
        ending_ = std::move(draft);
        below_ = command_below_;
        end_rule_.emplace(Clock::now(), queued());
    }
    if (auto draft = std::exchange(command_finish_, {})) {
        finishing_ = std::move(draft);
        finish_queued_ = queued();
    }
}

Capture::Round Capture::read_pipes() {
    Round round;
    for (Source& source : sources_) read_pipe(source, round);
    return round;
}

void Capture::read_pipe(Source& source, Round& round) {
    if (!source.pipe) return;
    const auto room = buffer_.bytes();
    const auto got =
        platform::retry_eintr([&] { return ::read(source.pipe.get(), room.data(), room.size()); });
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) {
        source.pipe.reset();
        return;
    }
    const auto count = static_cast<std::size_t>(got);
    buffer_.used(count);
    if (source.pace.on_read(count)) enlarge(source);
    log_->append({room.data(), count}, source.stream);
    round.total += count;
    round.flood = round.flood || !source.pace.is_little(count);
}

// A refusal is no matter: the small pipe works as well, only slower.
void Capture::enlarge(Source& source) {
    const int capacity =
        ::fcntl(source.pipe.get(), F_SETPIPE_SZ, static_cast<int>(PipePace::kLargest));
    if (capacity > 0) source.pace.enlarged(static_cast<std::size_t>(capacity));
}

void Capture::publish() {
    produced_.store(log_->produced());
    stored_.store(log_->stored());
    if (growth_wanted_.load() && growth_wanted_.exchange(false)) to_control_.give();
    if (!limit_told_ && log_->limit_reached()) {
        limit_told_ = true;
        tell([](Events& events) { events.limit_reached = true; });
    }
}

void Capture::settle(const Round& round) {
    const Instant now = Clock::now();
    if (end_rule_) {
        if (round.total > 0) end_rule_->on_bytes(round.total, now);
        if (all_closed()) end_rule_->on_all_closed();
        if (end_rule_->complete(now)) complete_record();
    }
    if (unwritten_ && now >= retry_at_) write_record();
    if (finishing_ && !ending_ && !unwritten_) {
        finish_queued_ -= std::min<std::uint64_t>(finish_queued_, round.total);
        if (finish_queued_ == 0 || round.total == 0) write_after();
    }
}

void Capture::complete_record() {
    end_rule_.reset();
    Recorded recorded{.record = std::move(*ending_), .leftovers = {}};
    ending_.reset();
    if (below_ == Below::something) recorded.leftovers = living_below(::getpid());
    ExitRecord& record = recorded.record;
    if (log_) {
        record.bytes_produced = log_->produced();
        record.bytes_stored = record.bytes_at_end = log_->stored();
        at_end_ = {.produced = record.bytes_produced, .stored = record.bytes_stored};
        // A job that ended because of its output limit is expected to lack output.
        if (record.state != JobState::output_limit) record.capture_cause = log_->capture_cause();
        record.capture_complete = record.capture_cause.empty();
    }
    record.out_of_memory = record.state != JobState::succeeded && memory_.any();
    record.leftover_count = static_cast<std::uint32_t>(recorded.leftovers.size());
    for (const LivingProcess& process : recorded.leftovers) {
        record.leftovers.push_back(process.name);
    }
    unwritten_ = encode_exit(record);
    write_record();
    tell([&](Events& events) { events.recorded = std::move(recorded); });
    sync_due_ = !unwritten_;
}

void Capture::write_record() {
    if (records_->write_exit(*unwritten_)) {
        retry_at_ = Clock::now() + kRetry;
    } else {
        unwritten_.reset();
    }
}

void Capture::write_after() {
    AfterRecord& after = *finishing_;
    if (log_) {
        after.bytes_produced = log_->produced();
        after.bytes_stored = log_->stored();
        after.capture_cause = log_->capture_cause();
        after.capture_complete = after.capture_cause.empty();
    }
    // Nothing follows that could be told, and exit.json stands without it.
    if (says_more(after)) (void)records_->write_after(encode_after(after));
    finished_ = true;
    tell([](Events& events) { events.finished = true; });
}

bool Capture::says_more(const AfterRecord& after) const {
    return !after.leftovers.empty() || after.bytes_produced != at_end_.produced ||
           after.bytes_stored != at_end_.stored || !after.capture_complete;
}

void Capture::wait(const Round& round) {
    if (round.total > 0) {
        const bool hurry = end_rule_ || finishing_ || round.flood;
        if (!hurry) poll_for(Clock::now() + kGatherWait, Watch::commands);
        return;
    }
    std::optional<Instant> until;
    if (end_rule_) keep_earlier(until, end_rule_->wake());
    if (unwritten_) keep_earlier(until, retry_at_);
    if (buffer_.large()) {
        const Instant idle_at = Clock::now() + kIdle;
        keep_earlier(until, idle_at);
        poll_for(until, Watch::commands_and_pipes);
        if (Clock::now() >= idle_at) buffer_.release();
        return;
    }
    poll_for(until, Watch::commands_and_pipes);
}

void Capture::poll_for(std::optional<Instant> until, Watch watch) {
    std::array<pollfd, 3> items{};
    items[0] = {.fd = to_capture_.fd(), .events = POLLIN, .revents = 0};
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const int fd = watch == Watch::commands ? -1 : sources_[i].pipe.get();
        items[i + 1] = {.fd = fd, .events = POLLIN, .revents = 0};  // -1 is left out by poll
    }
    const timespec timeout = until ? time_left(*until, Clock::now()) : timespec{};
    // What woke us is looked at anew by the loop; an error could only be an interruption.
    work_.unlock();
    (void)::ppoll(items.data(), items.size(), until ? &timeout : nullptr, nullptr);
    work_.lock();
}

std::uint64_t Capture::queued() const {
    std::uint64_t total = 0;
    for (const Source& source : sources_) {
        int count = 0;
        if (source.pipe && ::ioctl(source.pipe.get(), FIONREAD, &count) == 0) {
            total += static_cast<std::uint64_t>(count);
        }
    }
    return total;
}

bool Capture::all_closed() const noexcept {
    return std::ranges::none_of(sources_, [](const Source& s) { return bool{s.pipe}; });
}

template <class Change>
void Capture::tell(Change change) {
    {
        const std::lock_guard lock{mutex_};
        change(events_);
    }
    to_control_.give();
}

}  // namespace bgshell::keeper
