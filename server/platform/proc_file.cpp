#include "platform/proc_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "platform/unique_fd.hpp"

namespace bgshell::platform {

Outcome<std::string> read_proc_file(int fd, std::size_t limit) {
    std::array<char, 4096> buffer;
    std::string bytes;
    while (bytes.size() < limit) {
        const std::size_t wanted = std::min(buffer.size(), limit - bytes.size());
        const auto got = retry_eintr(
            [&] { return ::pread(fd, buffer.data(), wanted, static_cast<off_t>(bytes.size())); });
        if (got < 0) return last_error();
        if (got == 0) break;
        bytes.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return bytes;
}

Outcome<std::string> read_proc_file(const std::string& path, std::size_t limit) {
    const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!fd) return last_error();
    return read_proc_file(fd.get(), limit);
}

}  // namespace bgshell::platform
