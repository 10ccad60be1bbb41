// ForkServer: where the keepers of a front end come from. It is this same program, run under
// another name once, that forks a keeper whenever it is asked for one.
//
// To run the program anew for each keeper would take several times as long as the fork, and each
// would have relocated pages of its own where forks share one copy.
#pragma once

#include <string_view>
#include <utility>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

// argv[0] of the fork server: main calls keeper_main, before anything else, when it sees this name.
inline constexpr std::string_view kKeeperName = "bgshell-keeper";
// Where the fork server finds its socket: packets of kForkRequest, each with a birth socket
// attached (SCM_RIGHTS).
inline constexpr int kRequestsDescriptor = 3;
inline constexpr std::string_view kForkRequest = "fork";

class ForkServer {
  public:
    struct Started;
    // Starts one and asks it for a keeper. Returns when the program runs, about a millisecond.
    [[nodiscard]] static platform::Outcome<Started> start();

    // Asks for a keeper: the front end's end of its birth socket (messages.hpp), non-blocking. The
    // keeper says hello there, or the server says StartFailed if the fork failed; whatever is sent
    // before is not lost. It leaves when the birth socket closes before `start`. EPIPE: the server
    // has died, and another may be started.
    [[nodiscard]] platform::Outcome<platform::UniqueFd> fork_keeper() const;

  private:
    explicit ForkServer(platform::UniqueFd requests) : requests_{std::move(requests)} {}

    // The server leaves when this closes; its keepers do not.
    platform::UniqueFd requests_;
};

struct ForkServer::Started {
    ForkServer server;
    platform::UniqueFd birth;  // of the first keeper
    // Neither the server nor a keeper is a child of ours: the process that we made forks them and
    // leaves at once, so that whoever kills our tree does not reach them. This is its pidfd; the
    // caller reaps it.
    platform::UniqueFd parent;
};

}  // namespace bgshell::keeper
