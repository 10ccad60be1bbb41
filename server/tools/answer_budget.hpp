// The size of an answer as written: one line of JSON that every client can read.
#pragma once

#include <cstddef>

#include "tools/answer.hpp"
#include "tools/tool_set.hpp"

namespace bgshell::tools {

// Of the whole line; some clients drop lines over 64 KiB.
inline constexpr std::size_t kAnswerBytes = 60'000;
// What the message around a result takes: the version, the request's id, result type and metadata.
inline constexpr std::size_t kEnvelopeBytes = 1'024;
// What a result may take.
inline constexpr std::size_t kResultBytes = kAnswerBytes - kEnvelopeBytes;
// The same for each of several that share a line.
[[nodiscard]] std::size_t result_bytes(std::size_t shared_by);

// Bytes of `{"content":...,"isError":...,"structuredContent":...}` as written, escapes counted.
[[nodiscard]] std::size_t written_size(const CallResult& result);

[[nodiscard]] CallResult call_result(Written written, bool with_structure, bool is_error);

// An answer is shortened in cuts, each counted in it. Outputs go first, one with each cut, the
// largest as written first: its whole range counts as omitted (a search loses its last match). Then
// one job with each cut, from the end of the list: ended ones oldest first, those that nothing is
// told of before others.
//
// How many cuts can be made.
[[nodiscard]] std::size_t cuts(const jobs::ListOutcome& outcome);
[[nodiscard]] std::size_t cuts(const jobs::StartOutcome& outcome);
[[nodiscard]] std::size_t cuts(const jobs::AwaitOutcome& outcome);
[[nodiscard]] std::size_t cuts(const jobs::OutputOutcome& outcome);
[[nodiscard]] std::size_t cuts(const jobs::SendOutcome& outcome);
[[nodiscard]] std::size_t cuts(const jobs::CancelOutcome& outcome);

// Makes the first `count` of them; at most cuts(outcome).
void cut(jobs::ListOutcome& outcome, std::size_t count);
void cut(jobs::StartOutcome& outcome, std::size_t count);
void cut(jobs::AwaitOutcome& outcome, std::size_t count);
void cut(jobs::OutputOutcome& outcome, std::size_t count);
void cut(jobs::SendOutcome& outcome, std::size_t count);
void cut(jobs::CancelOutcome& outcome, std::size_t count);

}  // namespace bgshell::tools
