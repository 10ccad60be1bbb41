#include "platform/memfd.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bgshell::platform {

Outcome<UniqueFd> make_memfd(const char* name, std::string_view bytes) {
    UniqueFd fd{::memfd_create(name, MFD_CLOEXEC)};
    if (!fd) return last_error();
    while (!bytes.empty()) {
        const auto written =
            retry_eintr([&] { return ::write(fd.get(), bytes.data(), bytes.size()); });
        if (written < 0) return last_error();
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return fd;
}

Outcome<std::string> read_memfd(int fd, std::size_t limit) {
    struct stat facts {};
    if (::fstat(fd, &facts) != 0) return last_error();
    const auto size = static_cast<std::size_t>(facts.st_size);
    if (size > limit) return errno_code(EFBIG);
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const auto got = retry_eintr([&] {
            return ::pread(fd, bytes.data() + done, size - done, static_cast<off_t>(done));
        });
        if (got < 0) return last_error();
        if (got == 0) break;  // cut meanwhile
        done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

}  // namespace bgshell::platform
