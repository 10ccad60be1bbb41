// DurableFile: a small file that is written and read as a whole, below a directory that we hold
// open.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "platform/outcome.hpp"

namespace bgshell::platform {

// Makes `bytes` the whole content of the file `name` (one path component) of the directory
// `directory`, mode 0600 whatever the umask. A reader sees the old or the new content, never a
// part; when this returns without an error the new one survives a power loss. After an error the
// old content is still there (the new one instead where only the last step, the fsync of the
// directory, failed), and no temporary file.
[[nodiscard]] error_code write_durably(int directory, const std::string& name,
                                       std::string_view bytes);

// The whole content of the regular file `name` of `directory`. Symbolic links are not followed
// (ELOOP); anything else that is no regular file is EINVAL, one longer than `max_bytes` is EFBIG.
[[nodiscard]] Outcome<std::string> read_whole(int directory, const std::string& name,
                                              std::size_t max_bytes);

}  // namespace bgshell::platform
