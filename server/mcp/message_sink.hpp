// MessageSink: where the MCP layer puts what it says on one connection (stdio) or one exchange
// (HTTP).
#pragma once

#include <functional>
#include <string>

namespace bgshell::mcp {

class MessageSink {
  public:
    virtual ~MessageSink() = default;
    // Takes one whole JSON-RPC message, without a newline. `done`, unless empty, is called exactly
    // once, on the loop: with true when all of it was written, with false when it never will be.
    // Never calls it before this returns.
    virtual void send(std::string message, std::function<void(bool written)> done) = 0;
};

}  // namespace bgshell::mcp
