// The three JSON records of a job directory: spec.json (what was asked), exit.json (how the shell
// ended, written once) and after.json (the keeper's last word, when everything below it has ended).
//
// All are one JSON object with "version": 1. A reader of this release accepts unknown members, so
// that the next release can add some. A record that does not parse counts as absent (exit.json is
// preallocated with blanks, so trailing blanks and NULs are part of the format).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keeper/job_state.hpp"
#include "platform/clock.hpp"

namespace bgshell::keeper {

inline constexpr std::size_t kExitRecordBytes = 4096;  // preallocated; encode_exit never exceeds it

// Never holds a value of the environment, nor the command beyond its first 4 KiB (the whole is in
// the file `script`).
struct JobSpec {
    JobId id;
    std::string title;    // may be empty: none was given
    std::string command;  // the first 4 KiB
    std::string cwd;      // absolute
    std::string shell;    // absolute
    std::string owner;    // id of the front end or token that started it
    std::string scope;    // canonical project directory, or "client:NAME"
    std::string client;   // clientInfo.name, may be empty
    std::string key;      // may be empty
    platform::WallTime created{};
    std::int64_t runtime_limit_ms = 0;
    bool service = false;
    std::uint64_t output_limit_bytes = 0;
    OutputLimitMode output_limit_mode = OutputLimitMode::roll;
    bool open_stdin = false;
    bool split_stderr = false;
};

// Why a process outlives SIGKILL.
enum class Survival : std::uint8_t {
    unknown,
    refused,    // it may not be signalled: EPERM
    in_kernel,  // it waits there, uninterruptibly, and ends when that is over
};

struct ProcessName {
    int pid = 0;
    std::string command;  // its argv joined by blanks, at most 200 bytes; else its comm in brackets
    std::string user;     // only for survivors
    Survival survival = Survival::unknown;  // only for survivors, and not in records
    friend bool operator==(const ProcessName&, const ProcessName&) = default;
};

struct ExitRecord {
    JobId id;
    JobState state = JobState::failed;  // an ended one; never `lost`
    std::optional<int> exit_code;       // exactly one of exit_code, signal, error
    std::optional<int> signal;
    std::string error;           // why the shell could not be executed, with the errno's text
    std::string reason;          // user, session_end, host_stop, ...; may be empty
    bool by_person = false;      // cancelled by a person, not by the agent
    bool out_of_memory = false;  // the kernel counted an oom_kill in the job's cgroup meanwhile
    platform::WallTime started{};
    platform::WallTime ended{};
    std::int64_t elapsed_ms = 0;     // by CLOCK_MONOTONIC
    std::uint64_t bytes_at_end = 0;  // offset of the log at the end of the job
    std::uint64_t bytes_produced = 0;
    std::uint64_t bytes_stored = 0;
    bool capture_complete = true;
    std::string capture_cause;           // why not, e.g. "No space left on device"
    std::vector<ProcessName> leftovers;  // at most 16 named; leftover_count is exact
    std::uint32_t leftover_count = 0;
};

// How a leftover ended.
enum class LeftoverFate : std::uint8_t { exited, killed, survived };
[[nodiscard]] std::string_view to_string(LeftoverFate fate) noexcept;

struct AfterRecord {
    JobId id;
    platform::WallTime ended{};
    std::uint64_t bytes_produced = 0;
    std::uint64_t bytes_stored = 0;
    bool capture_complete = true;
    std::string capture_cause;
    std::string
        leftovers_stopped_by;  // runtime limit, output limit, cancel, ...; empty: by themselves
    struct Fate {
        ProcessName process;
        LeftoverFate fate = LeftoverFate::exited;
    };
    std::vector<Fate> leftovers;
};

[[nodiscard]] std::string encode_spec(const JobSpec& spec);
[[nodiscard]] std::optional<JobSpec> decode_spec(std::string_view text);
[[nodiscard]] std::string encode_exit(const ExitRecord& record);
[[nodiscard]] std::optional<ExitRecord> decode_exit(std::string_view text);
[[nodiscard]] std::string encode_after(const AfterRecord& record);
[[nodiscard]] std::optional<AfterRecord> decode_after(std::string_view text);

}  // namespace bgshell::keeper
