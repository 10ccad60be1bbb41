#include "platform/durable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "platform/temporary_name.hpp"
#include "platform/unique_fd.hpp"
#include "platform/write_all.hpp"

namespace bgshell::platform {
namespace {

error_code fill(int fd, std::string_view bytes) {
    if (::fchmod(fd, S_IRUSR | S_IWUSR) != 0) return last_error();
    if (const error_code error = write_all(fd, bytes)) return error;
    if (::fsync(fd) != 0) return last_error();
    return {};
}

}  // namespace

error_code write_durably(int directory, const std::string& name, std::string_view bytes) {
    const std::string temporary = temporary_name(name);
    UniqueFd file{retry_eintr([&] {
        return ::openat(directory, temporary.c_str(),
                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    })};
    if (!file) return last_error();
    error_code error = fill(file.get(), bytes);
    file.reset();
    if (!error && ::renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) {
        error = last_error();
    }
    if (error) {
        ::unlinkat(directory, temporary.c_str(), 0);
        return error;
    }
    // `directory` may have been opened with O_PATH, which fsync refuses.
    const UniqueFd readable{
        retry_eintr([&] { return ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); })};
    if (!readable || ::fsync(readable.get()) != 0) return last_error();
    return {};
}

Outcome<std::string> read_whole(int directory, const std::string& name, std::size_t max_bytes) {
    // O_NONBLOCK: a FIFO in the place of the file must not block us.
    const UniqueFd file{retry_eintr([&] {
        return ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    })};
    if (!file) return last_error();
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return last_error();
    if (!S_ISREG(status.st_mode)) return errno_code(EINVAL);
    std::string bytes;
    while (true) {
        // One byte more than allowed shows that the file is too long, however it grows meanwhile.
        std::array<char, 16 * 1024> block{};
        const std::size_t wanted = std::min(block.size(), max_bytes + 1 - bytes.size());
        const ssize_t got = retry_eintr([&] { return ::read(file.get(), block.data(), wanted); });
        if (got < 0) return last_error();
        if (got == 0) return bytes;
        bytes.append(block.data(), static_cast<std::size_t>(got));
        if (bytes.size() > max_bytes) return errno_code(EFBIG);
    }
}

}  // namespace bgshell::platform
