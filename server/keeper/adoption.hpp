// Adoption: whether anybody keeps a job alive, and when it is to end because nobody does. A
// connection that adopted and is lost starts the grace if it was the last; one that released does
// not.
#pragma once

#include <cstddef>
#include <optional>

#include "platform/clock.hpp"

namespace bgshell::keeper {

class Adoption {
  public:
    explicit Adoption(platform::Milliseconds grace) noexcept : grace_{grace} {}

    void adopted() noexcept {
        ++adopters_;
        deadline_.reset();
    }
    void released() noexcept { --adopters_; }
    void lost(platform::Instant now) noexcept {
        if (--adopters_ == 0) deadline_ = now + grace_;
    }
    // The job is to end then, unless somebody adopts it.
    [[nodiscard]] std::optional<platform::Instant> deadline() const noexcept { return deadline_; }
    void expired() noexcept { deadline_.reset(); }

  private:
    platform::Milliseconds grace_;
    std::size_t adopters_ = 0;
    std::optional<platform::Instant> deadline_;
};

}  // namespace bgshell::keeper
