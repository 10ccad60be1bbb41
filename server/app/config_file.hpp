// The user's TOML file, read into values that know their line. What they mean is not decided here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/setting.hpp"

namespace bgshell::app {

struct ConfigEntry {
    std::string table;  // empty: the key stands outside of any table
    std::string key;
    SettingValue value;  // a table of texts, as in `set = { CI = "1" }`, is a list of NAME=value
    std::uint32_t line = 0;
};

struct ConfigFile {
    std::string path;
    std::vector<ConfigEntry> entries;  // in the order of the file
    std::string fault;  // why it could not be read, with its line: then there are no entries
};

// $XDG_CONFIG_HOME/bgshell/config.toml, else ~/.config/bgshell/config.toml, from the arguments
// (empty: unset). Empty if neither is known.
[[nodiscard]] std::string default_config_path(const std::string& xdg_config_home,
                                              const std::string& home);
// A file that does not exist has no entries and no fault. Blocks for one small read.
[[nodiscard]] ConfigFile read_config_file(const std::string& path);
// The same for a text that was read from `path`.
[[nodiscard]] ConfigFile parse_config(std::string_view text, const std::string& path);

}  // namespace bgshell::app
