// The end of a session: all processes that share a session id, wherever their parents went.
#pragma once

#include <sys/types.h>

namespace bgshell::platform {

// SIGKILL to every process of `session`, again until a look at /proc finds none alive. The leader
// must be a child of ours that is not yet reaped, so that the number cannot have passed to
// strangers. Processes that left the session by setsid are not reached, nor those that may not be
// signalled.
void kill_session(pid_t session);

}  // namespace bgshell::platform
