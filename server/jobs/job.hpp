// Job: one job as this front end knows it, in memory: its row, its phase, how much it has printed,
// and the connection to its keeper while there is one. No I/O beyond what the link sends.
//
// Held by the table of jobs, by the coroutine that follows its keeper, by untold notices and by
// calls that wait for it: whoever is last. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jobs/bell.hpp"
#include "jobs/input_queue.hpp"
#include "jobs/keeper_link.hpp"
#include "jobs/output_level.hpp"
#include "keeper/messages.hpp"
#include "platform/clock.hpp"
#include "store/registry.hpp"

namespace bgshell::jobs {

class Job {
  public:
    struct Starting {};  // its keeper has not said yet that the shell runs
    struct Running {
        platform::Instant started;  // by our clock; an estimate for jobs of other front ends
    };
    struct Ended {
        platform::Instant at;
    };
    using Phase = std::variant<Starting, Running, Ended>;

    // A job that is being started here, in phase Starting.
    explicit Job(store::JobRow row);
    // A job that the registry knows, in the phase of its row.
    Job(store::JobRow row, const platform::Clock& clock);
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    [[nodiscard]] const store::JobRow& row() const noexcept { return row_; }
    [[nodiscard]] const keeper::JobId& id() const noexcept { return row_.spec.id; }
    [[nodiscard]] const Phase& phase() const noexcept { return phase_; }
    [[nodiscard]] bool ended() const noexcept { return std::holds_alternative<Ended>(phase_); }
    [[nodiscard]] bool starting() const noexcept {
        return std::holds_alternative<Starting>(phase_);
    }
    [[nodiscard]] const OutputLevel& level() const noexcept { return level_; }
    // What lives of the job after its end: named ones, and how many in all.
    [[nodiscard]] const std::vector<keeper::ProcessName>& leftovers() const noexcept {
        return leftovers_;
    }
    [[nodiscard]] std::uint32_t leftover_count() const noexcept { return leftover_count_; }
    // Since the shell started; the whole time once it has ended.
    [[nodiscard]] platform::Milliseconds elapsed(platform::Instant now) const;
    // False: the kernel could not punch holes, so the output limit ends the job.
    [[nodiscard]] bool holes_supported() const noexcept { return holes_supported_; }
    // The last answer to a cancel; its number grows with each.
    [[nodiscard]] const keeper::Stopped& stopped() const noexcept { return stopped_; }
    [[nodiscard]] std::uint64_t stopped_count() const noexcept { return stopped_count_; }
    // When nine tenths of the runtime limit are over; nullopt before the start.
    [[nodiscard]] std::optional<platform::Instant> limit_near_at() const;

    // Rings at every change. `limit_bell` only at those that move or end the runtime limit.
    [[nodiscard]] Bell& bell() noexcept { return bell_; }
    [[nodiscard]] Bell& limit_bell() noexcept { return limit_bell_; }

    // ---- the keeper
    void connect(std::unique_ptr<KeeperLink> link);
    // Null when no keeper is connected.
    [[nodiscard]] KeeperLink* link() const noexcept { return link_.get(); }
    // The connection is at its end.
    void disconnect();
    // What the keeper says. `ended` is true for the first end only: an end happens once.
    void apply(const keeper::Started& started, platform::Instant now);
    void apply(const keeper::StartFailed& failed);
    void apply(const keeper::Grew& grew, platform::Instant now);
    void apply(const keeper::Wrote& wrote);
    [[nodiscard]] bool apply(const keeper::Ended& ended, platform::Instant now);
    void apply(const keeper::Leftovers& leftovers);
    void apply(const keeper::Stopped& stopped);
    // The log has this size, and was last written then: for jobs that are not followed here.
    void observe_log(std::uint64_t size, platform::Instant written);
    // The registry's word, when there is no keeper to ask: an end that others recorded, or `lost`.
    [[nodiscard]] bool apply(store::JobRow row, platform::Instant now);

    // ---- what callers do
    // Bytes taken; they are sent as the job reads.
    [[nodiscard]] std::size_t type(std::string_view text);
    void close_input();
    [[nodiscard]] const InputQueue& input() const noexcept { return input_; }
    // From now on.
    void set_limit(platform::Milliseconds limit, platform::Instant now);
    void set_ready();
    [[nodiscard]] bool ready() const noexcept { return row_.ready; }

    // Who started it here; empty for jobs of others and callers without a conversation.
    std::string conversation;
    // The pattern of its start that it is not known to have matched; `await` waits for it too.
    std::string ready_pattern;
    bool ready_untold = false;

  private:
    void send_input();
    void end(platform::Instant now);
    void take_records(platform::Instant now);

    store::JobRow row_;
    Phase phase_;
    OutputLevel level_;
    std::vector<keeper::ProcessName> leftovers_;
    std::uint32_t leftover_count_ = 0;
    std::unique_ptr<KeeperLink> link_;
    InputQueue input_;
    Bell bell_;
    Bell limit_bell_;
    platform::Instant limit_from_{};
    bool holes_supported_ = true;
    keeper::Stopped stopped_;
    std::uint64_t stopped_count_ = 0;
};

}  // namespace bgshell::jobs
