// OwnerRow: a front end that has started jobs.
#pragma once

#include <string>

#include "platform/clock.hpp"

namespace bgshell::store {

struct OwnerRow {
    std::string id;
    std::string client;
    std::string scope;
    platform::WallTime started{};
};

}  // namespace bgshell::store
