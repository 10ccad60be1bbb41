// Setting: one thing that a user can set. The table of all of them drives the reader of the
// configuration, --help and the README's table, so that these cannot drift apart.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/configuration.hpp"

namespace bgshell::app {

// A value as a layer gives it; monostate is one of a type that no setting has (a date, a fraction).
using SettingValue =
    std::variant<std::monostate, std::int64_t, bool, std::string, std::vector<std::string>>;

struct Setting {
    // Where the value lies; its type says what kind of value it is. Milliseconds are whole seconds
    // for the user.
    using Field =
        std::variant<std::uint32_t& (*)(Configuration&), std::uint64_t& (*)(Configuration&),
                     platform::Milliseconds& (*)(Configuration&), bool& (*)(Configuration&),
                     std::string& (*)(Configuration&),
                     std::vector<std::string>& (*)(Configuration&),
                     keeper::OutputLimitMode& (*)(Configuration&),
                     StructuredMode& (*)(Configuration&), LogLevel& (*)(Configuration&)>;

    std::string_view table;  // of the TOML file
    std::string_view key;
    Field field;
    std::int64_t least = 0;  // numbers only
    std::int64_t most = 0;
    std::string_view unit{};   // numbers: "bytes", "seconds", ...
    std::string_view words{};  // words: all of them; texts and lists: the form of a valid one
    bool (*valid)(std::string_view text) = nullptr;  // a text, or each item of a list
    std::string_view help{};

    // "BGSHELL_SLOTS", "--slots", "BGSHELL_LOG_LEVEL", "--log-level".
    [[nodiscard]] std::string variable() const;
    [[nodiscard]] std::string flag() const;
    // What a value must be: "a whole number of seconds from 1 to 86400".
    [[nodiscard]] std::string rule() const;
    // The value in `configuration` as a user would write it; empty for an empty text or list.
    [[nodiscard]] std::string show(const Configuration& configuration) const;
    [[nodiscard]] bool is_list() const noexcept;

    // Puts `value` into `configuration`. False, and nothing is changed, if it breaks the rule.
    [[nodiscard]] bool assign(Configuration& configuration, const SettingValue& value) const;
    // The same from a flag or a variable; a list has one item a line.
    [[nodiscard]] bool assign_text(Configuration& configuration, std::string_view text) const;
};

// In the order of the file.
[[nodiscard]] std::span<const Setting> settings();
// nullptr: there is none of that name.
[[nodiscard]] const Setting* find_setting(std::string_view table, std::string_view key);

}  // namespace bgshell::app
