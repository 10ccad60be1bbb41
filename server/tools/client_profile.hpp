// What is known of clients by the name they give (clientInfo.name).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tools/tool_set.hpp"

namespace bgshell::tools {

// The profile of the client that calls itself `client_name`; careful defaults for an unknown or
// empty one. Names are compared lower-cased, with blanks as `-`, by prefix.
[[nodiscard]] ClientProfile client_profile(std::string_view client_name);

// Clients that end calls earlier than their table says are recognised by what they do: a wait that
// was cancelled after T lowers the ceiling of that client's later waits to 0.75 T. A cancel within
// the first seconds is a person's, not a clock's, and teaches nothing.
class LearnedCeilings {
  public:
    static constexpr platform::Milliseconds kShortestClock{20'000};

    void wait_was_cut(const std::string& client_name, platform::Milliseconds after);
    [[nodiscard]] platform::Milliseconds ceiling(const ClientProfile& profile) const;

  private:
    std::map<std::string, platform::Milliseconds> by_client_;
};

}  // namespace bgshell::tools
