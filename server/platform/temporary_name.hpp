// Names of files that live only for a moment.
#pragma once

#include <string>

namespace bgshell::platform {

// ".NAME." and 8 random characters: two writers of one file must not share a temporary one.
[[nodiscard]] std::string temporary_name(const std::string& name);

}  // namespace bgshell::platform
