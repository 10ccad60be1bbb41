// Lines of fact about a job, after line 1. Each is one line; quoted where it could break one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/outcomes.hpp"

namespace bgshell::tools {

// A path as it is, or quoted where a control character is in it.
[[nodiscard]] std::string path_text(const std::string& path);

// "cwd /home/user/api, log LOG" of an end: the directory where the call gave none and the job
// failed, the log where something is cut. nullopt: neither.
[[nodiscard]] std::optional<std::string> end_fact(const jobs::JobSnapshot& job, bool cut);

// `left over: 41544 "sleep 300"; stopped by cancel, with the session or at the limit in 29 min`
[[nodiscard]] std::optional<std::string> leftovers_fact(const jobs::JobSnapshot& job);

// "stdout and stderr come by two pipes: the order between them is approximate" where both are
// shown.
[[nodiscard]] std::optional<std::string> order_fact(const jobs::JobSnapshot& job,
                                                    const jobs::OutputView& view);

inline constexpr std::uint64_t kMebibyte = 1ULL << 20;
// "4 MiB" where it is whole, else bytes.
[[nodiscard]] std::string mebibytes_text(std::uint64_t bytes);

// Appends `fact` where there is one.
void add(std::vector<std::string>& facts, std::optional<std::string> fact);

}  // namespace bgshell::tools
