#include "app/setting.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <type_traits>

namespace bgshell::app {
namespace {

using platform::Milliseconds;

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kTiB = std::int64_t{1} << 40;

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_path(std::string_view text) {
    return text.starts_with('/');
}

bool is_variable_name(std::string_view text) {
    return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
           std::all_of(text.begin(), text.end(), is_word_character);
}

bool is_assignment(std::string_view text) {
    const auto equals = text.find('=');
    return equals != std::string_view::npos && is_variable_name(text.substr(0, equals));
}

// Together with the longest tool name well below the 64 characters that clients allow.
bool is_prefix(std::string_view text) {
    return text.size() <= 20 && std::all_of(text.begin(), text.end(), [](char c) {
               return is_word_character(c) || c == '-';
           });
}

using C = Configuration;

constexpr std::array kSettings{
    Setting{.table = "limits",
            .key = "slots",
            .field = +[](C& c) -> std::uint32_t& { return c.jobs.slots; },
            .least = 1,
            .most = 256,
            .unit = "jobs",
            .help = "Jobs of one client that may run at once."},
    Setting{.table = "limits",
            .key = "slots_total",
            .field = +[](C& c) -> std::uint32_t& { return c.jobs.slots_total; },
            .least = 1,
            .most = 4096,
            .unit = "jobs",
            .help = "Jobs of all clients together that may run at once."},
    Setting{.table = "limits",
            .key = "runtime_limit_s",
            .field = +[](C& c) -> Milliseconds& { return c.jobs.runtime_limit; },
            .least = 1,
            .most = 30 * kDay,
            .unit = "seconds",
            .help = "A job is stopped after this, unless its start asks for another limit."},
    Setting{.table = "limits",
            .key = "runtime_limit_max_s",
            .field = +[](C& c) -> Milliseconds& { return c.jobs.runtime_limit_max; },
            .least = 1,
            .most = 30 * kDay,
            .unit = "seconds",
            .help = "The longest limit a job can ask for, and the limit of services."},
    Setting{.table = "limits",
            .key = "output_limit_bytes",
            .field = +[](C& c) -> std::uint64_t& { return c.jobs.output_limit_bytes; },
            .least = 4096,
            .most = kTiB,
            .unit = "bytes",
            .help = "Stored output of one job."},
    Setting{.table = "limits",
            .key = "output_limit_mode",
            .field = +[](C& c) -> keeper::OutputLimitMode& { return c.jobs.output_limit_mode; },
            .words = "roll or stop",
            .help =
                "At that limit: roll keeps the first quarter and the newest rest, stop ends the "
                "job."},
    Setting{.table = "limits",
            .key = "disk_budget_bytes",
            .field = +[](C& c) -> std::uint64_t& { return c.jobs.disk_budget_bytes; },
            .least = kMiB,
            .most = 1024 * kTiB,
            .unit = "bytes",
            .help = "Logs of one client's jobs together."},
    Setting{.table = "session",
            .key = "orphan_grace_s",
            .field = +[](C& c) -> Milliseconds& { return c.jobs.orphan_grace; },
            .least = 0,
            .most = kDay,
            .unit = "seconds",
            .help = "Jobs end this long after their client has gone."},
    Setting{.table = "shell",
            .key = "path",
            .field = +[](C& c) -> std::string& { return c.jobs.shell_path; },
            .words = "an absolute path",
            .valid = is_path,
            .help = "The shell that runs commands; else bash, $SHELL if it is zsh, or /bin/sh."},
    Setting{.table = "shell",
            .key = "login_path",
            .field = +[](C& c) -> bool& { return c.jobs.login_path; },
            .help = "Complete PATH once a day from the user's login shell."},
    Setting{.table = "env",
            .key = "set",
            .field = +[](C& c) -> std::vector<std::string>& { return c.jobs.env_set; },
            .words = "NAME=value",
            .valid = is_assignment,
            .help = "Variables that every job gets."},
    Setting{.table = "env",
            .key = "unset",
            .field = +[](C& c) -> std::vector<std::string>& { return c.jobs.env_unset; },
            .words = "NAME",
            .valid = is_variable_name,
            .help = "Variables that no job gets."},
    Setting{
        .table = "results",
        .key = "structured",
        .field = +[](C& c) -> StructuredMode& { return c.structured; },
        .words = "auto, on or off",
        .help = "Structured results beside the text; auto: where the client still shows the text."},
    Setting{.table = "results",
            .key = "tool_prefix",
            .field = +[](C& c) -> std::string& { return c.tool_prefix; },
            .words = "at most 20 letters, digits, _ or -",
            .valid = is_prefix,
            .help = "Put before each tool's name, for clients that mix the tools of all servers."},
    Setting{.table = "store",
            .key = "network",
            .field = +[](C& c) -> bool& { return c.network_store; },
            .help = "Allow the state directory on a network file system (used by one machine)."},
    Setting{.table = "log",
            .key = "level",
            .field = +[](C& c) -> LogLevel& { return c.log_level; },
            .words = "error, warn, info or debug",
            .help = "What is said on stderr. Never output, environment or secrets."},
};

bool key_stands_alone(std::string_view table) {
    return table == "limits" || table == "session" || table == "results";
}

std::string full_name(const Setting& setting) {
    std::string name;
    if (!key_stands_alone(setting.table)) name = std::string{setting.table} + "_";
    return name += setting.key;
}

char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

std::optional<bool> parse_bool(std::string_view text) {
    if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
    if (text == "false" || text == "0" || text == "no" || text == "off") return false;
    return std::nullopt;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        if (end > 0) lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// How a value of a word's type is read.
std::optional<keeper::OutputLimitMode> parse_word(std::string_view word, keeper::OutputLimitMode) {
    return keeper::parse_output_limit_mode(word);
}
std::optional<StructuredMode> parse_word(std::string_view word, StructuredMode) {
    return parse_structured_mode(word);
}
std::optional<LogLevel> parse_word(std::string_view word, LogLevel) {
    return parse_log_level(word);
}

// Overloads of `take` put a value of the right type into a field, or leave it alone.
template <class Number>
requires std::is_integral_v<Number>
bool take(const Setting& setting, Number& field, const SettingValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number < setting.least || *number > setting.most) return false;
    field = static_cast<Number>(*number);
    return true;
}

bool take(const Setting& setting, Milliseconds& field, const SettingValue& value) {
    std::int64_t seconds = 0;
    if (!take(setting, seconds, value)) return false;
    field = std::chrono::seconds{seconds};
    return true;
}

bool take(const Setting&, bool& field, const SettingValue& value) {
    const auto* truth = std::get_if<bool>(&value);
    if (truth == nullptr) return false;
    field = *truth;
    return true;
}

bool take(const Setting& setting, std::string& field, const SettingValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || text->find('\0') != std::string::npos || !setting.valid(*text)) {
        return false;
    }
    field = *text;
    return true;
}

bool take(const Setting& setting, std::vector<std::string>& field, const SettingValue& value) {
    const auto* items = std::get_if<std::vector<std::string>>(&value);
    if (items == nullptr) return false;
    const auto fits = [&](const std::string& item) {
        return item.find('\0') == std::string::npos && setting.valid(item);
    };
    if (!std::all_of(items->begin(), items->end(), fits)) return false;
    field = *items;
    return true;
}

template <class Word>
requires std::is_enum_v<Word>
bool take(const Setting&, Word& field, const SettingValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return false;
    const auto word = parse_word(*text, Word{});
    if (!word) return false;
    field = *word;
    return true;
}

// What kind of value a field wants, for texts and for flags.
enum class Kind : std::uint8_t { number, truth, text, list };

Kind kind_of(const Setting::Field& field) {
    return std::visit(
        [](auto access) {
            using Value = std::remove_reference_t<decltype(access(std::declval<C&>()))>;
            if constexpr (std::is_same_v<Value, bool>) {
                return Kind::truth;
            } else if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, Milliseconds>) {
                return Kind::number;
            } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
                return Kind::list;
            } else {
                return Kind::text;
            }
        },
        field);
}

std::string show_value(bool value) {
    return value ? "true" : "false";
}
std::string show_value(const std::string& value) {
    return value;
}
std::string show_value(Milliseconds value) {
    return std::to_string(value.count() / 1000);
}
std::string show_value(const std::vector<std::string>& value) {
    std::string lines;
    for (const auto& item : value) lines += (lines.empty() ? "" : "\n") + item;
    return lines;
}
template <class Value>
requires std::is_integral_v<Value> || std::is_enum_v<Value> std::string show_value(Value value) {
    if constexpr (std::is_enum_v<Value>) {
        return std::string{to_string(value)};
    } else {
        return std::to_string(value);
    }
}

}  // namespace

std::string Setting::variable() const {
    std::string name = "BGSHELL_" + full_name(*this);
    std::transform(name.begin(), name.end(), name.begin(), upper);
    return name;
}

std::string Setting::flag() const {
    std::string name = "--" + full_name(*this);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string Setting::rule() const {
    switch (kind_of(field)) {
        case Kind::number:
            return "a whole number of " + std::string{unit} + " from " + std::to_string(least) +
                   " to " + std::to_string(most);
        case Kind::truth:
            return "true or false";
        case Kind::text:
            return std::string{words};
        case Kind::list:
            return "a list of " + std::string{words};
    }
    return {};
}

std::string Setting::show(const Configuration& configuration) const {
    Configuration copy = configuration;
    return std::visit([&](auto access) { return show_value(access(copy)); }, field);
}

bool Setting::is_list() const noexcept {
    return kind_of(field) == Kind::list;
}

bool Setting::assign(Configuration& configuration, const SettingValue& value) const {
    return std::visit([&](auto access) { return take(*this, access(configuration), value); },
                      field);
}

bool Setting::assign_text(Configuration& configuration, std::string_view text) const {
    SettingValue value;
    switch (kind_of(field)) {
        case Kind::number:
            if (const auto number = parse_whole(text)) value = *number;
            break;
        case Kind::truth:
            if (const auto truth = parse_bool(text)) value = *truth;
            break;
        case Kind::text:
            value = std::string{text};
            break;
        case Kind::list:
            value = lines_of(text);
            break;
    }
    return assign(configuration, value);
}

std::span<const Setting> settings() {
    return kSettings;
}

const Setting* find_setting(std::string_view table, std::string_view key) {
    for (const auto& setting : kSettings) {
        if (setting.table == table && setting.key == key) return &setting;
    }
    return nullptr;
}

}  // namespace bgshell::app
