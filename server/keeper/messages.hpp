// The protocol between a keeper and whoever talks to it, over AF_UNIX SOCK_SEQPACKET.
//
// Grammar: a packet is one type byte and a payload of at most 32 KiB. Integers are little-endian
// and fixed in size; a string is a u32 length and its bytes; a list is a u32 count and its items.
// The first packet of each side is `hello`. A packet that does not decode ends the connection that
// sent it, nothing else.
//
// Two kinds of connection: the *birth socket* (a socketpair that the keeper inherits as descriptor
// 3 and on which alone `start` is accepted) and those accepted on <job directory>/sock. The birth
// socket counts as one that sent `adopt`. Sends of the keeper never block: `grew` is a level and is
// coalesced, `ended` and `stopped` are kept until sent; a peer that does not read loses nothing but
// time.
//
// A keeper leaves as soon as nothing is left of its job, which may be before whoever started it
// says another word: so `start` subscribes, too. Whoever finds a connection closed before `ended`,
// or nobody to connect to, reads the records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "keeper/job_state.hpp"
#include "keeper/records.hpp"

namespace bgshell::keeper {

inline constexpr std::uint16_t kProtocolVersion = 1;
inline constexpr std::uint16_t kOldestProtocolVersion = 1;  // this and the previous are understood
inline constexpr std::size_t kMaxPayload = 32 * 1024;

// ---- both ways
struct Hello {
    std::uint16_t version = kProtocolVersion;
    std::int32_t pid = 0;  // of the sender, in its own pid namespace
};

// ---- to the keeper
// Birth socket only, with four descriptors attached (SCM_RIGHTS), in this order: the job directory
// (O_PATH or O_RDONLY), the locked `lock` file, a memfd that holds the encoded StartOrder
// (start_order.hpp), the working directory (O_PATH). Answered by `started` or `start_failed`, and
// from then on as after `subscribe`.
struct Start {};
// From now on `grew`, `ended`, `leftovers` are sent; the present level and, if the job has ended,
// the end are sent at once.
struct Subscribe {};
// Bytes for the job's stdin, at most kMaxPayload - 4; one may be unacknowledged. Answered by
// `wrote`.
struct Write {
    std::string bytes;
};
// Closes the job's stdin once all that was written before has been taken. Answered by `wrote`.
struct Eof {};
// A new runtime limit, counted from the receipt of this message. No answer.
struct Limit {
    std::uint64_t milliseconds = 0;
};
// Stops the job with all its processes: `signal` first, SIGKILL after `grace`. On an ended job it
// stops what is left over. Answered by `stopped`, when nothing is left or the survivors are known.
struct Cancel {
    std::int32_t signal = 15;
    std::uint32_t grace_ms = 5000;
    std::string reason;  // into the exit record: user, session_end, ...
    bool by_person = false;
};
// This connection keeps the job alive: while it or another adopter is open, no grace runs.
struct Adopt {};
// This connection no longer does, and its loss starts no grace (`detach`, a deliberate hand-over).
struct Release {};

// ---- from the keeper
struct Started {
    std::int32_t shell_pid = 0;
    std::int64_t started_wall_ms = 0;
    bool holes_supported = true;  // false: mode `roll` was turned into `stop`
};
// The shell could not be executed after admission: `ended` with the exit record follows.
struct StartFailed {
    std::int32_t error = 0;  // errno
    std::string what;        // the step that failed, e.g. "posix_spawn /bin/bash"
};
struct Grew {
    std::uint64_t bytes_produced = 0;
    std::uint64_t bytes_stored = 0;  // the size of the log, holes counted
};
// The job's stdin took this many bytes of the last `write` (all of them unless it is closed).
struct Wrote {
    std::uint32_t bytes = 0;
    std::int32_t error = 0;  // 0; EPIPE: the job closed its stdin; EBADF: it has none
};
struct Ended {
    ExitRecord record;  // travels as the very text of exit.json
};
// What still lives below the keeper after the end; sent whenever it changes, the last time empty.
struct Leftovers {
    std::vector<ProcessName> processes;
    std::uint32_t count = 0;  // of all, also those that do not fit
};
struct Stopped {
    std::uint32_t gone = 0;    // processes ended by this cancel
    std::uint32_t killed = 0;  // of them by SIGKILL after the grace
    std::uint32_t elapsed_ms = 0;
    bool had_ended = false;            // the job had ended before; only leftovers were stopped
    std::vector<std::uint16_t> ports;  // TCP ports the job listened on before the first signal
    std::vector<ProcessName> survivors;
};

using ToKeeper = std::variant<Hello, Start, Subscribe, Write, Eof, Limit, Cancel, Adopt, Release>;
using FromKeeper =
    std::variant<Hello, Started, StartFailed, Grew, Wrote, Ended, Leftovers, Stopped>;

// Never longer than a packet may be: processes and ports that do not fit are left out from the end
// of their list. A `write` beyond its bound is the caller's mistake and is refused by
// decode_to_keeper.
[[nodiscard]] std::string encode(const ToKeeper& message);
[[nodiscard]] std::string encode(const FromKeeper& message);
// nullopt: not a packet of this protocol (unknown type, short, long, or with bytes left over).
[[nodiscard]] std::optional<ToKeeper> decode_to_keeper(std::string_view packet);
[[nodiscard]] std::optional<FromKeeper> decode_from_keeper(std::string_view packet);

}  // namespace bgshell::keeper
