#include "keeper/job_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <utility>

#include "platform/random.hpp"

namespace bgshell::keeper {
namespace {

constexpr std::array<std::pair<JobState, std::string_view>, 8> kStates{{
    {JobState::queued, "queued"},
    {JobState::running, "running"},
    {JobState::succeeded, "succeeded"},
    {JobState::failed, "failed"},
    {JobState::cancelled, "cancelled"},
    {JobState::timed_out, "timed_out"},
    {JobState::output_limit, "output_limit"},
    {JobState::lost, "lost"},
}};
constexpr std::array<std::pair<OutputLimitMode, std::string_view>, 2> kModes{{
    {OutputLimitMode::roll, "roll"},
    {OutputLimitMode::stop, "stop"},
}};

template <class Table, class Value>
std::string_view word_of(const Table& table, Value value) noexcept {
    const auto* found = std::ranges::find(table, value, &Table::value_type::first);
    return found == table.end() ? std::string_view{} : found->second;
}

template <class Table>
auto value_of(const Table& table, std::string_view word) noexcept
    -> std::optional<typename Table::value_type::first_type> {
    const auto* found = std::ranges::find(table, word, &Table::value_type::second);
    if (found == table.end()) return std::nullopt;
    return found->first;
}

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t kIdLength = 8;
constexpr std::size_t kDigits = 10;

constexpr std::string_view kSignalPrefix = "SIG";

}  // namespace

std::string_view to_string(JobState state) noexcept {
    return word_of(kStates, state);
}

std::optional<JobState> parse_job_state(std::string_view word) noexcept {
    return value_of(kStates, word);
}

std::string_view to_string(OutputLimitMode mode) noexcept {
    return word_of(kModes, mode);
}

std::optional<OutputLimitMode> parse_output_limit_mode(std::string_view word) noexcept {
    return value_of(kModes, word);
}

std::optional<JobId> JobId::parse(std::string_view text) {
    if (text.size() != kIdLength) return std::nullopt;
    if (kAlphabet.substr(kDigits).find(text.front()) == std::string_view::npos) return std::nullopt;
    if (text.find_first_not_of(kAlphabet) != std::string_view::npos) return std::nullopt;
    return JobId{std::string{text}};
}

JobId JobId::random() {
    std::string text;
    while (text.size() < kIdLength) {
        std::array<std::byte, kIdLength> drawn{};
        platform::fill_random(drawn);
        for (const std::byte byte : drawn) {
            // 32 characters divide 256, so five bits of a byte are an even draw; a digit in the
            // first place is drawn again.
            const std::size_t index = std::to_integer<std::size_t>(byte) % kAlphabet.size();
            if (text.empty() && index < kDigits) continue;
            if (text.size() < kIdLength) text.push_back(kAlphabet[index]);
        }
    }
    return JobId{std::move(text)};
}

std::string signal_name(int number) {
    const char* short_name = ::sigabbrev_np(number);
    return std::string{kSignalPrefix} +
           (short_name != nullptr ? std::string{short_name} : std::to_string(number));
}

std::optional<int> parse_signal_name(std::string_view name) noexcept {
    if (!name.starts_with(kSignalPrefix)) return std::nullopt;
    name.remove_prefix(kSignalPrefix.size());
    for (int number = 1; number < NSIG; ++number) {
        const char* short_name = ::sigabbrev_np(number);
        if (short_name != nullptr) {
            if (name == short_name) return number;
            continue;
        }
        std::array<char, 8> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        if (name == std::string_view{digits.data(), end}) return number;
    }
    return std::nullopt;
}

}  // namespace bgshell::keeper
