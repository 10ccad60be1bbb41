#include "platform/memfd.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/write_all.hpp"

namespace bgshell::platform {

Outcome<UniqueFd> make_memfd(const char* name, std::string_view bytes) {
    UniqueFd fd{::memfd_create(name, MFD_CLOEXEC)};
    if (!fd) return last_error();
    if (const auto error = write_all(fd.get(), bytes)) return error;
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
