// Eras: which rules one request is served by. A modern request brings its own envelope
// (params._meta["io.modelcontextprotocol/protocolVersion"]) and depends on nothing earlier; a
// legacy one belongs to the session that `initialize` made. Both kinds may come over one
// connection, in any order.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "mcp/log_level.hpp"
#include "mcp/method.hpp"
#include "mcp/revision.hpp"
#include "mcp/rpc_error.hpp"

namespace bgshell::mcp {

struct ClientInfo {
    std::string name;  // empty: unknown
    std::string version;
};

// What one request is served by, in both eras.
struct Terms {
    Revision revision = kLatestLegacy;
    ClientInfo client;
};

// How one request is to be treated.
struct ModernRequest {
    Terms terms;
    std::optional<LogLevel> log_level;  // none: no log message may be sent for it
};
struct HandshakeRequest {};  // `initialize`
struct EarlyPing {};         // allowed before the handshake
struct SessionRequest {};    // by what the handshake agreed on
using Treatment =
    std::variant<ModernRequest, HandshakeRequest, EarlyPing, SessionRequest, RpcError>;

[[nodiscard]] bool has_envelope(const boost::json::object& params);

// `method` is nothing where it is unknown; `in_session`: the handshake has been done.
[[nodiscard]] Treatment treat(std::optional<Method> method, const boost::json::object& params,
                              bool in_session);

// What `initialize` asks for: a revision that is not served, or not by a handshake, becomes the
// latest legacy one.
[[nodiscard]] std::variant<Terms, RpcError> read_handshake(const boost::json::object& params);

}  // namespace bgshell::mcp
