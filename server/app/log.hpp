// Log: lines for the operator on stderr. stdout belongs to the protocol alone. Never given command
// output, environment values or secrets; control characters in a line are escaped, so that a path
// or a client's name cannot forge another line.
#pragma once

#include <memory>
#include <string_view>

#include "app/configuration.hpp"

namespace bgshell::app {

class Log {
  public:
    explicit Log(LogLevel level);
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    // May be called from any thread. Never throws, never fails: a closed stderr is no reason to
    // end.
    void write(LogLevel level, std::string_view line) const noexcept;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bgshell::app
