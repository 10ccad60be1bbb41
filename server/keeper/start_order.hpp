// StartOrder: everything a keeper needs to start its job. It travels in a memfd, because it holds
// the environment, whose values must never lie in a file, and may be longer than a packet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keeper/job_state.hpp"

namespace bgshell::keeper {

struct StartOrder {
    JobId id;
    std::string program;                   // absolute path of the shell
    std::vector<std::string> arguments;    // argv[0] included; argv[1] is the path of `script`
    std::vector<std::string> environment;  // NAME=value, exactly the job's
    std::uint64_t runtime_limit_ms = 0;
    std::uint64_t output_limit_bytes = 0;
    OutputLimitMode output_limit_mode = OutputLimitMode::roll;
    std::uint64_t orphan_grace_ms = 0;   // how long it lives after its last adopter has gone
    std::uint32_t kill_grace_ms = 5000;  // TERM to KILL, at a limit or the session's end
    bool open_stdin = false;
    bool split_stderr = false;
    std::uint64_t open_files_soft = 0;  // RLIMIT_NOFILE of the job, 0: leave as it is
    std::uint64_t open_files_hard = 0;
};

[[nodiscard]] std::string encode(const StartOrder& order);
[[nodiscard]] std::optional<StartOrder> decode_start_order(std::string_view bytes);

}  // namespace bgshell::keeper
