// The names in a directory.
#pragma once

#include <string>
#include <vector>

#include "platform/outcome.hpp"

namespace bgshell::store {

// Without "." and "..", in no order.
[[nodiscard]] platform::Outcome<std::vector<std::string>> entry_names(int directory);

}  // namespace bgshell::store
