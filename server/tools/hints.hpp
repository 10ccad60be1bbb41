// Hints: what to do next, at most one in an answer, each kind a few times in a session.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "jobs/outcomes.hpp"
#include "tools/manner.hpp"

namespace bgshell::tools {

enum class HintKind : std::uint8_t {
    search_log,     // of a failed job
    not_found,      // exit code 127
    while_running,  // after a start
    read_on,        // output stopped before its end
};
inline constexpr std::size_t kHintKinds = 4;

struct Hint {
    HintKind kind = HintKind::search_log;
    std::string text;  // without "next: "
};

// Counts the hints of one session.
class HintCount {
  public:
    static constexpr int kPerSession = 3;

    [[nodiscard]] bool left(HintKind kind) const { return said(kind) < kPerSession; }
    void spend(HintKind kind) { ++said_.at(static_cast<std::size_t>(kind)); }

  private:
    [[nodiscard]] int said(HintKind kind) const { return said_.at(static_cast<std::size_t>(kind)); }
    std::array<int, kHintKinds> said_{};
};

// `output {"id":"k3f9x0ab","grep":"FAIL|Error"}`
[[nodiscard]] Hint search_hint(const jobs::JobSnapshot& job, const Manner& manner);
// What to do while a new job runs, and how it is given more time.
[[nodiscard]] Hint running_hint(const jobs::JobSnapshot& job, const Manner& manner);
// `output {"id":"k3f9x0ab","from":9004}`
[[nodiscard]] Hint read_on_hint(const jobs::JobSnapshot& job, std::uint64_t from,
                                const Manner& manner);
// Of a bad end: on exit code 127, else where the output is cut. nullopt: none helps.
[[nodiscard]] std::optional<Hint> end_hint(const jobs::JobSnapshot& job, bool cut,
                                           const Manner& manner);

}  // namespace bgshell::tools
