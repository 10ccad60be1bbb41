// Anonymous memory as a descriptor: for data that must travel to another process and never lie in a
// file, like environments.
#pragma once

#include <string>
#include <string_view>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {

[[nodiscard]] Outcome<UniqueFd> make_memfd(const char* name, std::string_view bytes);
// All of it, whatever the file offset is. EFBIG if it is larger than `limit` bytes.
[[nodiscard]] Outcome<std::string> read_memfd(int fd, std::size_t limit);

}  // namespace bgshell::platform
