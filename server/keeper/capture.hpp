// Capture: the thread that moves the job's output into its log and writes the job's records. It
// does every write to the file system, so that a disk that stalls delays no limit and no kill.
//
// The control thread owns a Capture and calls its functions; results come back as Events. The
// thread lives until `finish` has been carried out.
//
// Handing over to the thread and back takes longer than writing a record. So at a natural end, when
// nothing is left that could have to be killed in time, the control thread does the thread's next
// step itself if that one is at rest: all but waiting for the disk.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "keeper/capture_buffer.hpp"
#include "keeper/end_rule.hpp"
#include "keeper/leftovers.hpp"
#include "keeper/log_writer.hpp"
#include "keeper/memory_kills.hpp"
#include "keeper/pipe_pace.hpp"
#include "keeper/record_writer.hpp"
#include "keeper/wake_signal.hpp"
#include "platform/clock.hpp"

namespace bgshell::keeper {

// The read ends of the job's output, non-blocking. Without `err` the job does not split; without
// `out` there is nothing to capture.
struct OutputPipes {
    platform::UniqueFd out;
    platform::UniqueFd err;
};

class Capture {
  public:
    struct Level {
        std::uint64_t produced = 0;
        std::uint64_t stored = 0;
    };
    struct Recorded {
        ExitRecord record;
        std::vector<LivingProcess> leftovers;
    };
    struct Events {
        bool limit_reached = false;  // once
        std::optional<Recorded>
            recorded;           // once: the end is decided, and on disk unless that failed
        bool finished = false;  // the thread's last word
    };

    // The thread and its memory, at rest. To be made before a job waits for it.
    [[nodiscard]] static platform::Outcome<std::unique_ptr<Capture>> prepare();
    // Begins, once. `log` is none where it could not be made (then there are no pipes either).
    void begin(OutputPipes pipes, std::optional<LogWriter> log, RecordWriter records);
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    // Waits for the thread, so only after Events::finished, or without `begin`.
    ~Capture();

    // Readable when take_events has something to tell, or the output has grown as asked for.
    [[nodiscard]] int wake_fd() const noexcept { return to_control_.fd(); }
    [[nodiscard]] Events take_events();
    [[nodiscard]] Level level() const noexcept;
    // The next growth makes wake_fd readable, once.
    void want_growth() noexcept { growth_wanted_.store(true); }

    // The shell has exited: the end rule starts, then the record is completed (bytes, leftovers,
    // out_of_memory) and written. `draft` has everything else. With `Below::nothing` no process is
    // left below the keeper and nobody has asked for a stop: the record may be written in here.
    enum class Below { something, nothing };
    void shell_ended(ExitRecord draft, Below below);
    // Nothing is left below the keeper: reads what is queued, writes after.json, if that says more
    // than the exit record, and ends the thread. Only after Events::recorded; waits for an exit
    // record that could not be written yet.
    void finish(AfterRecord draft);

  private:
    struct Source {
        platform::UniqueFd pipe;
        std::optional<IndexKind> stream;
        PipePace pace{0};
    };
    // What one look at every pipe gave.
    struct Round {
        std::size_t total = 0;
        bool flood = false;  // more than a little from one of them
    };
    enum class Watch { commands, commands_and_pipes };

    Capture(WakeSignal to_control, WakeSignal to_capture, CaptureBuffer buffer);
    static void* thread_main(void* self);
    void run();
    Round step();
    void take_commands();
    Round read_pipes();
    void read_pipe(Source& source, Round& round);
    static void enlarge(Source& source);
    void publish();
    void settle(const Round& round);
    void complete_record();
    void write_record();
    void write_after();
    [[nodiscard]] bool says_more(const AfterRecord& after) const;
    void wait(const Round& round);
    void poll_for(std::optional<platform::Instant> until, Watch watch);
    [[nodiscard]] std::uint64_t queued() const;
    [[nodiscard]] bool all_closed() const noexcept;
    template <class Change>
    void tell(Change change);

    // Of whoever works: the capture thread, except while it rests in a poll.
    std::mutex work_;
    std::array<Source, 2> sources_;
    std::optional<LogWriter> log_;
    std::optional<RecordWriter> records_;  // from `begin` on
    MemoryKills memory_;
    CaptureBuffer buffer_;
    bool limit_told_ = false;
    std::optional<ExitRecord> ending_;  // until the end rule is complete
    Below below_ = Below::something;    // at that end
    bool sync_due_ = false;
    std::optional<EndRule> end_rule_;
    std::optional<std::string> unwritten_;  // the exit record, while it is not on disk
    platform::Instant retry_at_{};
    Level at_end_;  // of the exit record
    std::optional<AfterRecord> finishing_;
    std::uint64_t finish_queued_ = 0;
    bool finished_ = false;

    // Between the threads.
    WakeSignal to_control_;
    WakeSignal to_capture_;
    std::atomic<std::uint64_t> produced_{0};
    std::atomic<std::uint64_t> stored_{0};
    std::atomic<bool> growth_wanted_{false};
    std::atomic<bool> commands_waiting_{false};
    std::mutex mutex_;  // of the four below
    std::optional<ExitRecord> command_end_;
    Below command_below_ = Below::something;
    std::optional<AfterRecord> command_finish_;
    Events events_;

    pthread_t thread_{};
    bool joinable_ = false;
};

}  // namespace bgshell::keeper
