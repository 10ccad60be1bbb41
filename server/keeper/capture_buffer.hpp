// CaptureBuffer: the memory that output passes through. It gives its pages back while nothing
// moves.
#pragma once

#include <cstddef>
#include <span>

#include "platform/outcome.hpp"

namespace bgshell::keeper {

class CaptureBuffer {
  public:
    static constexpr std::size_t kBytes = 256 * 1024;

    [[nodiscard]] static platform::Outcome<CaptureBuffer> create();
    CaptureBuffer(CaptureBuffer&& other) noexcept;
    CaptureBuffer& operator=(CaptureBuffer&&) = delete;
    ~CaptureBuffer();

    [[nodiscard]] std::span<char> bytes() const noexcept { return {memory_, kBytes}; }
    // So many of its first bytes were written.
    void used(std::size_t bytes) noexcept {
        if (bytes > touched_) touched_ = bytes;
    }
    // Whether `release` is worth a system call.
    [[nodiscard]] bool large() const noexcept { return touched_ > kSmall; }
    void release() noexcept;

  private:
    static constexpr std::size_t kSmall = 16 * 1024;
    explicit CaptureBuffer(char* memory) noexcept : memory_{memory} {}
    char* memory_;
    std::size_t touched_ = 0;
};

}  // namespace bgshell::keeper
