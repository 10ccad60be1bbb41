// UniqueFd: the owner of one file descriptor. Every descriptor of the program has exactly one; a
// raw int is only ever a borrowed parameter.
#pragma once

#include <utility>

namespace bgshell::platform {

class UniqueFd {
  public:
    UniqueFd() = default;
    // Takes ownership of `fd`; -1 means none.
    explicit UniqueFd(int fd) noexcept : fd_{fd} {}
    UniqueFd(UniqueFd&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) reset(std::exchange(other.fd_, -1));
        return *this;
    }
    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;
    ~UniqueFd() { reset(); }

    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }
    // Gives the descriptor up without closing it.
    [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
    // Closes what is held (close is not retried: on Linux the descriptor is gone even after EINTR)
    // and takes `fd`.
    void reset(int fd = -1) noexcept;

  private:
    int fd_ = -1;
};

}  // namespace bgshell::platform
