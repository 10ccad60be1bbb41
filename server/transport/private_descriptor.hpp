// PrivateDescriptor: a non-blocking way to an inherited descriptor that leaves others alone.
// O_NONBLOCK belongs to the open file description, which we share with whoever started us: their
// terminal or pipe would change under them.
#pragma once

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::transport {

class PrivateDescriptor {
  public:
    enum class Access { read, write };

    // Opens what `fd` stands for. A pipe, FIFO or terminal is opened anew, through /proc; what
    // cannot be (a socket, a regular file, whose position is shared) is duplicated, set to
    // non-blocking, and set back by the destructor. `fd` stays open and the caller's.
    [[nodiscard]] static platform::Outcome<PrivateDescriptor> open(int fd, Access access);
    PrivateDescriptor(PrivateDescriptor&&) noexcept = default;
    PrivateDescriptor& operator=(PrivateDescriptor&&) = delete;
    ~PrivateDescriptor();

    // A descriptor of its own for the same description; close-on-exec.
    [[nodiscard]] platform::Outcome<platform::UniqueFd> duplicate() const;

  private:
    PrivateDescriptor(platform::UniqueFd fd, int flags_to_restore);
    platform::UniqueFd fd_;
    int flags_to_restore_;  // -1: it is ours alone
};

}  // namespace bgshell::transport
