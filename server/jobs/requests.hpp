// What a caller can ask of the job manager: one struct per tool, already parsed, ranges checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/clock.hpp"
#include "store/log_reader.hpp"

namespace bgshell::jobs {

using platform::Milliseconds;

struct WaitReport {
    Milliseconds waited{0};
    bool shortened = false;  // the client's ceiling cut it
    Milliseconds asked{0};
    Milliseconds ceiling{0};
};

// How long a call may wait, and what the client allows.
struct Wait {
    Milliseconds asked{0};
    Milliseconds ceiling{50'000};  // of the client
    [[nodiscard]] Milliseconds used() const { return asked < ceiling ? asked : ceiling; }
    // Of one that took so long.
    [[nodiscard]] WaitReport report(platform::Instant from, platform::Instant to) const {
        const auto waited = std::chrono::duration_cast<Milliseconds>(to - from);
        return {waited, asked > ceiling, asked, ceiling};
    }
};

struct StartRequest {
    std::string command;
    std::string title;
    std::optional<std::string> cwd;
    std::vector<std::string> env;  // NAME=value
    Wait wait;
    std::optional<std::string> wait_for;
    std::optional<Milliseconds> runtime_limit;  // may exceed the ceiling: lowered and said
    bool service = false;
    bool open_stdin = false;
    bool split_stderr = false;
    std::string key;
};

enum class AwaitMode : std::uint8_t { any, all };

struct AwaitRequest {
    std::vector<std::string> ids;  // as given: ids or titles
    AwaitMode mode = AwaitMode::any;
    std::optional<std::string> wait_for;
    std::optional<Milliseconds> quiet;
    Wait wait;
};

struct OutputRequest {
    std::string id;
    std::optional<std::uint64_t> from;
    std::optional<std::uint32_t> tail_lines;
    std::uint32_t max_bytes = 8000;
    store::Stream stream = store::Stream::both;
    bool stream_given = false;
    std::optional<std::string> grep;
    std::uint32_t context_lines = 0;
};

struct SendRequest {
    std::string id;
    std::string text;
    bool eof = false;
    std::optional<std::string> wait_for;
    Wait wait;
    std::optional<Milliseconds> runtime_limit;
};

struct CancelRequest {
    std::vector<std::string> ids;
    int signal = 15;
    Milliseconds grace{5000};
    bool remove = false;
    bool by_person = false;
};

enum class ListState : std::uint8_t { all, running, ended };

struct ListRequest {
    std::vector<std::string> ids;
    ListState state = ListState::all;
    std::uint32_t limit = 20;
};

}  // namespace bgshell::jobs
