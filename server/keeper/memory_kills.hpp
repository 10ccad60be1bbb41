// MemoryKills: whether the kernel killed something of the job for want of memory, by the counter of
// the control group that the keeper and its job are in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class MemoryKills {
  public:
    // Where there is no such counter, nothing is ever counted.
    [[nodiscard]] static MemoryKills find();
    void count_from_now();
    // Whether the counter has moved since.
    [[nodiscard]] bool any() const;

  private:
    MemoryKills() = default;
    [[nodiscard]] std::optional<std::uint64_t> count() const;

    platform::UniqueFd counter_;
    std::optional<std::uint64_t> before_;
};

// The value of the line "oom_kill N" of memory.events (v2) or memory.oom_control (v1).
[[nodiscard]] std::optional<std::uint64_t> parse_oom_kills(std::string_view text);
// The path of that file for the content of /proc/self/cgroup; empty: no memory controller is named.
[[nodiscard]] std::string memory_counter_path(std::string_view cgroups);

}  // namespace bgshell::keeper
