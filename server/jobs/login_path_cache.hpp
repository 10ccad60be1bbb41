// What a login shell answered, kept for a day in the state directory, failures too: a slow start-up
// file must not delay the first job of every front end.
//
// The file `login_path` is binary: form:u16 asked:i64 shell home path failure, strings and integers
// as in keeper/wire.hpp. One that does not decode counts as absent.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "jobs/login_path.hpp"
#include "platform/clock.hpp"
#include "platform/outcome.hpp"

namespace bgshell::jobs {

inline constexpr std::chrono::hours kLoginPathAge{24};

[[nodiscard]] std::string encode_login_path(const LoginPathQuestion& question,
                                            const LoginPath& answer, platform::WallTime asked);
// The answer if `bytes` hold one to the same question (shell and home) that is not older than a day
// at `now`, nor from the future.
[[nodiscard]] std::optional<LoginPath> decode_login_path(std::string_view bytes,
                                                         const LoginPathQuestion& question,
                                                         platform::WallTime now);

// The same from and to the file in `directory`. They block.
[[nodiscard]] std::optional<LoginPath> load_login_path(int directory,
                                                       const LoginPathQuestion& question,
                                                       platform::WallTime now);
[[nodiscard]] platform::error_code save_login_path(int directory, const LoginPathQuestion& question,
                                                   const LoginPath& answer,
                                                   platform::WallTime asked);

}  // namespace bgshell::jobs
