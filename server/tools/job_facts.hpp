// Lines of fact about a job, after line 1. Each is one line; quoted where it could break one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/outcomes.hpp"
#include "tools/manner.hpp"

namespace bgshell::tools {

// A path as it is, or quoted where a control character is in it.
[[nodiscard]] std::string path_text(const std::string& path);

// "log LOG"; of one that has rolled, that it is to be read with our tool. `view`, here and below:
// what is shown of it, null for nothing.
[[nodiscard]] std::string log_fact(const jobs::JobSnapshot& job, const jobs::OutputView* view,
                                   const Manner& manner);

// The log_fact where something is cut out of what is shown.
[[nodiscard]] std::optional<std::string> cut_fact(const jobs::JobSnapshot& job,
                                                  const jobs::OutputView* view,
                                                  const Manner& manner);

// "cwd /home/user/api, log LOG" of an end: the directory where the call gave none and the job
// failed, and the cut_fact. nullopt: neither.
[[nodiscard]] std::optional<std::string> end_fact(const jobs::JobSnapshot& job,
                                                  const jobs::OutputView* view,
                                                  const Manner& manner);

// For the above.
[[nodiscard]] inline const jobs::OutputView* shown(const std::optional<jobs::OutputView>& view) {
    return view ? &*view : nullptr;
}

// `left over: 41544 "sleep 300"; stopped by cancel, with the session or at the limit in 29 min`
[[nodiscard]] std::optional<std::string> leftovers_fact(const jobs::JobSnapshot& job);

// What must be known of the output that is shown: what the log has lost, what of one stream may be
// of the other, that the order of both is approximate.
[[nodiscard]] std::vector<std::string> view_facts(const jobs::JobSnapshot& job,
                                                  const jobs::OutputView& view,
                                                  store::Stream stream = store::Stream::both);

inline constexpr std::uint64_t kMebibyte = 1ULL << 20;
// "4 MiB" where it is whole, else bytes.
[[nodiscard]] std::string mebibytes_text(std::uint64_t bytes);

// Appends `fact` where there is one.
void add(std::vector<std::string>& facts, std::optional<std::string> fact);
void add(std::vector<std::string>& facts, std::vector<std::string> more);

}  // namespace bgshell::tools
