// Patterns in arguments (grep, wait_for).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jobs/error.hpp"
#include "tools/arguments.hpp"

namespace bgshell::tools {

// The pattern in `field`, if one is given. Any text is a pattern (what is no valid RE2 is taken
// literally), but an empty one is an error: it would match everything.
[[nodiscard]] inline jobs::Result<std::optional<std::string>> read_pattern(
    const Arguments& arguments, std::string_view field) {
    std::optional<std::string> pattern = arguments.find_text(field);
    if (pattern && pattern->empty()) {
        return jobs::Error{jobs::ErrorKind::bad_argument,
                           std::string{field} +
                               " must not be empty: leave it out, or give a regex "
                               "(RE2) for one line."};
    }
    return pattern;
}

}  // namespace bgshell::tools
