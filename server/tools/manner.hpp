// Manner: how to speak with one client.
#pragma once

#include <string>
#include <string_view>

#include "platform/clock.hpp"

namespace bgshell::tools {

struct Manner {
    std::string prefix;  // of the tools' names
    platform::Milliseconds wait_ceiling{50'000};
    bool background = false;  // a long await wakes the model
    bool structure = true;    // structuredContent is sent

    // A tool's published name.
    [[nodiscard]] std::string tool(std::string_view name) const {
        return prefix + std::string{name};
    }
};

}  // namespace bgshell::tools
