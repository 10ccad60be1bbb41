// What the job manager answers: one struct per tool, facts only. The words are made by the tools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jobs/requests.hpp"
#include "jobs/view.hpp"
#include "keeper/records.hpp"
#include "store/registry.hpp"

namespace bgshell::jobs {

using keeper::JobId;
using keeper::JobState;
using keeper::ProcessName;
using platform::Milliseconds;

// A job as it is now, for one caller.
struct JobSnapshot {
    store::JobRow row;  // spec, state, records
    Milliseconds elapsed{0};
    std::uint64_t bytes_produced = 0;
    std::uint64_t bytes_stored = 0;
    std::uint64_t unread_bytes = 0;               // since this caller's last look
    std::optional<std::uint64_t> unread_lines;    // full ones among them; unset: not counted
    std::optional<Milliseconds> last_output_age;  // while running
    bool own = true;                              // of this caller's owner
    bool earlier_session = false;                 // its owner is known to have gone
    bool unread_end = false;                      // its end is not yet told
    std::vector<ProcessName> leftovers;           // living now
    std::uint32_t leftover_count = 0;
    // Leftovers of a keeper that has gone without a last record: they may live or not.
    [[nodiscard]] bool unwatched() const noexcept { return row.settled && leftover_count > 0; }
    Milliseconds ended_age{0};
    std::string log_path;
};

// What moves when an answer has been delivered: kept by the manager under this number, see Offers.
using OfferId = std::uint64_t;  // 0: nothing is offered

enum class EndedBy : std::uint8_t { exit, match, quiet, input, time };

// What a search leaves to the caller's next one, once its answer has arrived.
struct Searched {
    std::uint64_t match_end = 0;  // the next one starts there
    std::optional<Match> last_match;
    friend bool operator==(const Searched&, const Searched&) = default;
};
struct MatchReport {
    Searched searched;
    bool matched = false;
    Match match;                      // the line
    std::vector<std::string> before;  // up to 2 lines before it
    std::optional<Milliseconds> age;  // it was there before the call
    bool shown_before = false;        // no new match; `match` is the last one, told earlier
    bool pattern_literal = false;
};

// ---- start
struct StartedJob {
    JobSnapshot job;
    bool reused = false;         // by key: nothing was run
    bool first_running = false;  // tell pid, cwd, log, slots
    bool ready = false;
    bool not_ready = false;  // wait_for given, time over
    std::optional<MatchReport> match;
    std::optional<OutputView> view;  // ended or ready
    std::string last_line;           // running: cleaned, may be empty
    std::uint32_t slots_used = 0;
    std::uint32_t slots = 0;
    std::optional<JobSnapshot>
        same_command;  // another job that runs the same command in the same cwd
    std::uint64_t reduced_output_limit = 0;  // bytes; 0: the output limit was not reduced
    std::vector<std::string>
        facts;  // whole lines on what no field says: the PATH probe failed, ...
    WaitReport wait;
};
struct StartRefusedSlots {
    bool total = false;
    std::uint32_t slots = 0;
    std::vector<JobSnapshot> running;
};
struct StartRefusedBudget {
    std::uint64_t used_bytes = 0;
    std::uint64_t budget_bytes = 0;
    std::vector<JobId> removable;
    std::uint64_t removable_bytes = 0;
};
using StartOutcome = std::variant<StartedJob, StartRefusedSlots, StartRefusedBudget>;

// ---- await
struct AwaitedJob {
    JobSnapshot job;
    bool ended_now = false;  // this answer tells its end
    std::optional<MatchReport> match;
    std::optional<OutputView> view;  // of an end that this answer tells
    std::string last_line;
};
struct AwaitOutcome {
    std::vector<AwaitedJob> jobs;
    EndedBy ended_by = EndedBy::time;
    bool nothing_to_wait_for = false;
    std::uint32_t services_running = 0;
    std::uint32_t ended_count = 0;
    WaitReport wait;
    std::vector<std::string> facts;
    std::uint64_t omitted = 0;  // jobs left out of `jobs`, by whoever makes an answer of it
};

// ---- output
struct OutputOutcome {
    JobSnapshot job;
    OutputView view;
    bool unreadable = false;  // the log, as `facts` says: the view shows nothing of it
    std::vector<std::string> facts;
};

// ---- send
struct SendOutcome {
    JobSnapshot job;
    bool refused = false;             // ended, or no input
    std::uint64_t taken_bytes = 0;    // of the text
    std::uint64_t waiting_bytes = 0;  // still to be read by the job; of one that ended: unread
    bool no_newline = false;          // typed without one, and nothing came
    bool input_closed = false;        // before the job had taken all that was sent
    std::optional<Milliseconds> new_limit;
    std::optional<MatchReport> match;
    std::optional<OutputView> view;
    std::vector<std::string> facts;
    WaitReport wait;
};

// ---- cancel
enum class CancelResult : std::uint8_t { ended, already_ended, leftovers_ended, survivors };
struct CancelledJob {
    JobSnapshot job;
    CancelResult result = CancelResult::ended;
    int signal_sent = 0;  // 0: none was needed
    bool escalated = false;
    std::uint32_t gone = 0;
    std::uint32_t killed = 0;
    Milliseconds took{0};
    std::vector<std::uint16_t> ports_free;
    std::vector<std::uint16_t> ports_in_use;
    std::vector<ProcessName> survivors;
    std::string last_lines;  // up to 5 unread ones
    bool removed = false;
    bool log_removed = false;     // perhaps without the record
    std::string removal_failure;  // why not, unless it only still lives
};
struct CancelOutcome {
    std::vector<CancelledJob> jobs;
    std::uint64_t omitted = 0;  // jobs left out of `jobs`, by whoever makes an answer of it
};

// ---- list
struct ListOutcome {
    std::vector<JobSnapshot> jobs;  // running newest first, then ended newest first
    std::uint64_t running_total = 0;
    std::uint64_t ended_total = 0;
    std::uint64_t omitted = 0;
    std::uint32_t slots = 0;
    std::uint32_t slots_used = 0;
    std::uint64_t disk_budget_bytes = 0;
    std::uint64_t disk_used_bytes = 0;
    bool details = false;
};

// ---- notices of any answer
struct NoticeItem {
    store::Notice notice;
    JobSnapshot job;
    std::string last_line;
    bool again = false;
    bool earlier_session = false;
};
// Started by a call whose answer is not known to have been read.
struct NamedStart {
    JobSnapshot job;
    bool answered = false;  // the answer was written, but then the client cancelled the call
};
struct NoticeBlock {
    std::vector<NoticeItem> items;  // oldest first; those the answer states itself included
    std::vector<NamedStart> lost_starts;
};

}  // namespace bgshell::jobs
