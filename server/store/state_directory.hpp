// StateDirectory: the directory that holds everything bgshell keeps: the registry, a lock per owner
// and a directory per job.
//
//   <state>/registry.db  owners/<id>.lock  jobs/<job id>/{script,spec.json,log,index,exit.json,
//                                                         after.json,lock,sock}
#pragma once

#include <string>

#include "keeper/job_state.hpp"
#include "platform/unique_fd.hpp"
#include "store/error.hpp"

namespace bgshell::store {

class StateDirectory {
  public:
    // Opens `path` (absolute), making it and its missing parents 0700. It and each parent must be
    // ours or root's, not writable for others (a sticky directory excepted), and writable for a
    // group only where that is root's or the user's own. On NFS, SMB, 9p, Lustre and FUSE it is
    // refused unless `allow_network`.
    [[nodiscard]] static Result<StateDirectory> open(const std::string& path, bool allow_network);
    // $BGSHELL_STATE is the caller's business; this is $XDG_STATE_HOME/bgshell, else
    // ~/.local/state/bgshell, from the arguments (empty: unset).
    [[nodiscard]] static std::string default_path(const std::string& xdg_state_home,
                                                  const std::string& home);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] int root_fd() const noexcept { return root_.get(); }
    [[nodiscard]] int jobs_fd() const noexcept { return jobs_.get(); }
    [[nodiscard]] int owners_fd() const noexcept { return owners_.get(); }
    [[nodiscard]] std::string registry_path() const { return path_ + "/registry.db"; }
    [[nodiscard]] std::string job_path(const keeper::JobId& id) const {
        return path_ + "/jobs/" + id.text();
    }
    // Whether somebody has removed it since it was opened: nothing can be made in it any more.
    [[nodiscard]] bool is_removed() const;
    // Whether this file system can punch holes, tried once on a file that is removed again.
    [[nodiscard]] bool can_punch_holes() const;

  private:
    StateDirectory(std::string path, platform::UniqueFd root, platform::UniqueFd jobs,
                   platform::UniqueFd owners);
    std::string path_;
    platform::UniqueFd root_;
    platform::UniqueFd jobs_;
    platform::UniqueFd owners_;
};

}  // namespace bgshell::store
