// Waking a keeper that was stopped. Its own job can stop it (SIGSTOP), and then it hears nothing
// and ends nothing until somebody makes it go on.
#pragma once

#include <sys/types.h>

namespace bgshell::keeper {

// If the keeper that listens in this job directory is stopped, sends it SIGCONT, and tells so. The
// kernel names the listener of a socket, which still listens when its process is taken hold of, so
// no other can be meant. Never waits.
bool continue_if_stopped(int job_directory);
// The same for the keeper with this process id, at the other end of `connection`.
bool continue_if_stopped(pid_t keeper, int connection);

}  // namespace bgshell::keeper
