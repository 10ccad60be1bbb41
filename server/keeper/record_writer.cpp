#include "keeper/record_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "keeper/records.hpp"

namespace bgshell::keeper {
namespace {

using platform::error_code;
using platform::last_error;
using platform::Outcome;
using platform::retry_eintr;
using platform::UniqueFd;

Outcome<UniqueFd> make_file(int directory, const char* name) {
    UniqueFd fd{
        ::openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600)};
    if (!fd) return last_error();
    if (::fchmod(fd.get(), 0600) != 0) return last_error();
    return fd;
}

error_code write_at_start(int fd, std::string_view bytes) {
    std::size_t written = 0;
    while (written < bytes.size()) {
        const auto count = retry_eintr([&] {
            return ::pwrite(fd, bytes.data() + written, bytes.size() - written,
                            static_cast<off_t>(written));
        });
        if (count < 0) return last_error();
        if (count == 0) return platform::errno_code(EIO);
        written += static_cast<std::size_t>(count);
    }
    return {};
}

error_code rename_in(int directory, const char* from, const char* to) {
    return ::renameat(directory, from, directory, to) != 0 ? last_error() : error_code{};
}

bool is_removed(int directory) {
    struct stat status {};
    return ::fstat(directory, &status) == 0 && status.st_nlink == 0;
}

}  // namespace

error_code RecordWriter::reserve() {
    auto file = make_file(directory_, "exit.tmp");
    if (!file) return file.error();
    exit_ = std::move(*file);
    return write_at_start(exit_.get(), std::string(kExitRecordBytes, ' '));
}

error_code RecordWriter::write_exit(std::string_view text) {
    if (!exit_) {
        if (const auto error = reserve()) return error;
    }
    if (const auto error = write_at_start(exit_.get(), text)) return error;
    const auto error = rename_in(directory_, "exit.tmp", "exit.json");
    return error && is_removed(directory_) ? error_code{} : error;
}

error_code RecordWriter::sync_exit() const {
    if (::fsync(exit_.get()) != 0) return last_error();
    // The directory may have come as a mere path, which cannot be synced.
    const UniqueFd directory{::openat(directory_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!directory) return last_error();
    return ::fsync(directory.get()) != 0 ? last_error() : error_code{};
}

error_code RecordWriter::write_after(std::string_view text) const {
    const auto file = make_file(directory_, "after.tmp");
    if (!file) return file.error();
    if (const auto error = write_at_start(file->get(), text)) return error;
    return rename_in(directory_, "after.tmp", "after.json");
}

}  // namespace bgshell::keeper
