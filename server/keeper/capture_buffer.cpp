#include "keeper/capture_buffer.hpp"

#include <sys/mman.h>

#include <utility>

namespace bgshell::keeper {

platform::Outcome<CaptureBuffer> CaptureBuffer::create() {
    void* memory =
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return platform::last_error();
    return CaptureBuffer{static_cast<char*>(memory)};
}

CaptureBuffer::CaptureBuffer(CaptureBuffer&& other) noexcept
    : memory_{std::exchange(other.memory_, nullptr)}, touched_{other.touched_} {}

CaptureBuffer::~CaptureBuffer() {
    if (memory_ != nullptr) ::munmap(memory_, kBytes);
}

void CaptureBuffer::release() noexcept {
    ::madvise(memory_, kBytes, MADV_DONTNEED);
    touched_ = 0;
}

}  // namespace bgshell::keeper
