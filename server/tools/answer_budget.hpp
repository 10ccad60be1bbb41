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

// Bytes of `{"content":...,"isError":...,"structuredContent":...}` as written, escapes counted.
[[nodiscard]] std::size_t written_size(const CallResult& result);

[[nodiscard]] CallResult call_result(Written written, bool with_structure, bool is_error);

// Each makes an answer shorter by one step, and counts what it takes away; false: nothing is left
// to take. Outputs go first, the largest one first: its whole range counts as omitted. Then a tenth
// of the jobs, at least one, from the end of the list: ended ones oldest first, those that nothing
// is told of before others.
bool shrink(jobs::ListOutcome& outcome);
bool shrink(jobs::StartOutcome& outcome);
bool shrink(jobs::AwaitOutcome& outcome);
bool shrink(jobs::OutputOutcome& outcome);
bool shrink(jobs::SendOutcome& outcome);
bool shrink(jobs::CancelOutcome& outcome);

}  // namespace bgshell::tools
