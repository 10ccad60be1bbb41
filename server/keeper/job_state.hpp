// The states of a job and its identifier: the words that the keeper, the store and the front end
// share. Enumerators are equal to their words in records, in the registry and on the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bgshell::keeper {

enum class JobState : std::uint8_t {
    queued,        // waits for a slot
    running,       // its shell lives
    succeeded,     // the shell exited 0
    failed,        // non-zero, a signal nobody here sent, or not executable after admission
    cancelled,     // we were told to stop it
    timed_out,     // runtime limit
    output_limit,  // output limit or free-space floor
    lost,          // its keeper vanished without a valid exit record
};

[[nodiscard]] std::string_view to_string(JobState state) noexcept;
[[nodiscard]] std::optional<JobState> parse_job_state(std::string_view word) noexcept;
[[nodiscard]] constexpr bool is_ended(JobState state) noexcept {
    return state != JobState::queued && state != JobState::running;
}

// What to do with output beyond a job's output limit.
enum class OutputLimitMode : std::uint8_t {
    roll,  // keep the first quarter and the newest rest, by punching a hole between
    stop,  // end the job
};

[[nodiscard]] std::string_view to_string(OutputLimitMode mode) noexcept;
[[nodiscard]] std::optional<OutputLimitMode> parse_output_limit_mode(
    std::string_view word) noexcept;

// 8 lower-case Crockford base32 characters (0-9 a-z without i l o u), the first a letter.
class JobId {
  public:
    JobId() = default;
    // nullopt if `text` is not of that form.
    [[nodiscard]] static std::optional<JobId> parse(std::string_view text);
    // Drawn from the kernel's CSPRNG. Uniqueness is the caller's to check (the job's directory).
    [[nodiscard]] static JobId random();

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    friend auto operator<=>(const JobId&, const JobId&) = default;

  private:
    explicit JobId(std::string text) : text_{std::move(text)} {}
    std::string text_;
};

// "SIGTERM" for 15; "SIG42" for a number without a name.
[[nodiscard]] std::string signal_name(int number);
// 15 for "SIGTERM"; nullopt for a word that is no signal of this system.
[[nodiscard]] std::optional<int> parse_signal_name(std::string_view name) noexcept;

}  // namespace bgshell::keeper

template <>
struct std::hash<bgshell::keeper::JobId> {
    std::size_t operator()(const bgshell::keeper::JobId& id) const noexcept {
        return std::hash<std::string>{}(id.text());
    }
};
