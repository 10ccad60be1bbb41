// RunningJob: one job from its start until nothing of it is left: its shell, its capture, its
// limits, how it is stopped, and what of it outlives the shell. Knows nothing of sockets: what
// others must hear comes out as announcements.
//
// Phases: running (the shell lives) -> ending (its output is completed and the record written) ->
// ended (leftovers live) -> finishing (the last record) -> finished. A job whose shell could not be
// executed begins in `ending`.
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keeper/capture.hpp"
#include "keeper/job_process.hpp"
#include "keeper/leftover_list.hpp"
#include "keeper/messages.hpp"
#include "keeper/process_killer.hpp"
#include "keeper/start_order.hpp"
#include "keeper/stdin_feed.hpp"
#include "keeper/stop_sequence.hpp"
#include "platform/clock.hpp"
#include "platform/pidfd.hpp"

namespace bgshell::keeper {

// The reason of a stop because the machine, or the user's session on it, is going down.
inline constexpr std::string_view kHostStop = "host_stop";

// Why a job is stopped: what it ends as, if its shell still lives.
struct StopCause {
    JobState state = JobState::cancelled;
    std::string reason;
    bool by_person = false;
};

class RunningJob {
  public:
    // A connection, by its number.
    using Peer = StdinFeed::Peer;
    struct Announcement {
        std::optional<Peer> to;  // none: all who subscribed
        FromKeeper message;
    };

    // The job directory is borrowed and must outlive this; `capture` is at rest; `answer` becomes
    // Started or StartFailed, which is recorded, too.
    [[nodiscard]] static std::unique_ptr<RunningJob> start(const StartOrder& order,
                                                           int job_directory, int working_directory,
                                                           const platform::Clock& clock,
                                                           std::unique_ptr<Capture> capture,
                                                           FromKeeper& answer);

    [[nodiscard]] StdinFeed& input() noexcept { return input_; }
    void set_runtime_limit(platform::Milliseconds limit);
    // Signals everything below the keeper. With `peer`, that connection is sent `stopped`.
    void stop(const StopCause& cause, int signal, platform::Milliseconds grace,
              std::optional<Peer> peer = std::nullopt);
    // At a limit or at the session's end: SIGTERM and the grace of the order.
    void stop(const StopCause& cause);

    // Adds what must be polled for advance() to have something to do.
    void add_polls(std::vector<pollfd>& items) const;
    [[nodiscard]] std::optional<platform::Instant> wake() const;
    // Looks at all that may have happened and does what is due. Never waits, never touches the
    // disk.
    void advance();

    [[nodiscard]] std::vector<Announcement> take_announcements() {
        return std::exchange(announcements_, {});
    }
    [[nodiscard]] Capture::Level level() const noexcept { return capture_->level(); }
    void want_growth() noexcept { capture_->want_growth(); }
    [[nodiscard]] bool finished() const noexcept { return phase_ == Phase::finished; }
    // For a subscriber who comes late: the end, if it is known, and what lives on.
    [[nodiscard]] std::vector<FromKeeper> present_state() const;

  private:
    enum class Phase { running, ending, ended, finishing, finished };
    struct Requester {
        Peer peer;
        platform::Instant since;
        bool had_ended;
        std::vector<std::uint16_t> ports;
    };

    RunningJob(const StartOrder& order, const platform::Clock& clock);
    void end_unstarted(const StartFailed& failure);
    void reap();
    void reap_all();
    void on_shell_exit(const platform::ExitStatus& status);
    void on_recorded(Capture::Recorded recorded);
    void run_stop(platform::Instant now);
    void answer_stop(platform::Instant now);
    void survey(platform::Instant now);
    void finish_if_done();
    [[nodiscard]] ExitRecord draft_record() const;

    const platform::Clock& clock_;
    JobId id_;
    platform::Milliseconds kill_grace_;
    JobProcess process_;
    bool shell_lives_ = false;
    bool childless_ = false;  // nothing at all is below us
    StdinFeed input_;
    std::unique_ptr<Capture> capture_;
    Phase phase_ = Phase::running;
    platform::Instant started_;
    platform::WallTime started_wall_;
    std::optional<platform::Instant> runtime_deadline_;

    std::optional<StopCause> cause_;  // of the first stop, which decides the state
    bool host_stops_ = false;         // whoever was first
    StopSequence stop_;
    ProcessKiller killer_;
    std::vector<Requester> requesters_;

    std::optional<ExitRecord> exit_draft_;  // of a shell that has just been reaped
    std::optional<ExitRecord> record_;
    LeftoverList leftovers_;
    std::optional<platform::Instant> survey_at_;
    std::vector<Announcement> announcements_;
};

}  // namespace bgshell::keeper
