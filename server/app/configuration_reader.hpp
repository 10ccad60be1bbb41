// The layers of the configuration, put on each other: defaults, the user's file, BGSHELL_*
// variables, flags. A value that breaks its setting's rule keeps the layer below and is warned
// about, so that a slip in a file never stops a server that a client starts unseen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/config_file.hpp"
#include "app/configuration.hpp"
#include "app/setting.hpp"

namespace bgshell::app {

struct FlagValue {
    const Setting* setting = nullptr;  // never null
    std::string text;                  // a list: one item a line
};

struct LoadedConfiguration {
    Configuration configuration;
    std::vector<std::string> warnings;  // one line each, file:line first where it was a file
};

// `environment`: NAME=value. Values of lists are never repeated in a warning: they may be secrets.
[[nodiscard]] LoadedConfiguration load_configuration(const ConfigFile& file,
                                                     std::span<const std::string> environment,
                                                     std::span<const FlagValue> flags);

}  // namespace bgshell::app
