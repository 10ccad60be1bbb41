// InputQueue: what has been sent to a job's stdin and not yet taken by it, in order. No I/O: the
// owner sends what `next` gives and reports the keeper's answers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "keeper/messages.hpp"

namespace bgshell::jobs {

class InputQueue {
  public:
    // Bytes that may wait for one job.
    static constexpr std::size_t kCapacity = 4 * 1024 * 1024;

    // Takes as much of `text` as fits and says how much. Nothing once the input is closed.
    [[nodiscard]] std::size_t push(std::string_view text);
    // Closes the input after what was pushed before.
    void push_eof() noexcept;
    // The next packet for the keeper; nullopt while one is unanswered, or if nothing waits.
    [[nodiscard]] std::optional<keeper::ToKeeper> next();
    // The answer to the last packet. An error closes the input: what still waits can never be
    // taken.
    void answered(const keeper::Wrote& answer);

    // Bytes that the job has not taken.
    [[nodiscard]] std::size_t waiting() const noexcept { return bytes_.size() - taken_; }
    // Bytes that it will never take: they waited when it closed its input, or ended.
    [[nodiscard]] std::size_t lost() const noexcept { return lost_; }
    // Whether everything that was pushed has been answered.
    [[nodiscard]] bool idle() const noexcept;
    // The job closed its input, or ended, before it had taken everything that was pushed.
    [[nodiscard]] bool broken() const noexcept { return broken_; }
    // By push_eof, or by the job.
    [[nodiscard]] bool closed() const noexcept { return eof_ != Eof::none || broken_; }

  private:
    enum class Eof : std::uint8_t { none, wanted, sent };
    std::string bytes_;
    std::size_t taken_ = 0;      // of bytes_
    std::size_t in_flight_ = 0;  // bytes of the unanswered packet
    std::size_t lost_ = 0;
    bool unanswered_ = false;
    bool broken_ = false;
    Eof eof_ = Eof::none;
};

}  // namespace bgshell::jobs
