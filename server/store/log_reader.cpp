#include "store/log_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/outcome.hpp"

namespace bgshell::store {
namespace {

using platform::retry_eintr;
using platform::UniqueFd;

constexpr std::size_t kIndexBlock = keeper::kIndexEntryBytes * 2730;  // just below 64 KiB

// Opens `name` unless it is open already. False: it cannot be, errno says why.
bool open_file(int directory, const char* name, UniqueFd& file) {
    if (file) return true;
    file.reset(retry_eintr(
        [&] { return ::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); }));
    return file.get() >= 0;
}

}  // namespace

Result<LogReader> LogReader::open(const JobDirectory& directory) {
    UniqueFd own{retry_eintr(
        [&] { return ::openat(directory.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); })};
    const int number = errno;
    LogReader reader{directory.id().text(), std::move(own)};
    if (!reader.directory_) return reader.failed("directory", number);
    return reader;
}

Error LogReader::failed(const char* file, int number) const {
    return Error{ErrorKind::io,
                 "The " + std::string{file} + " of job " + name_ +
                     " cannot be read: " + std::strerror(number) + ".",
                 number};
}

Result<std::uint64_t> LogReader::size() {
    if (!open_file(directory_.get(), "log", log_)) {
        if (errno == ENOENT) return 0;
        return failed("log", errno);
    }
    struct stat status {};
    if (::fstat(log_.get(), &status) != 0) return failed("log", errno);
    return static_cast<std::uint64_t>(status.st_size);
}

Result<std::vector<LogPiece>> LogReader::read(std::uint64_t from, std::uint64_t max,
                                              Stream stream) {
    const auto end = size();
    if (!end) return end.error();
    std::vector<LogPiece> pieces;
    if (from >= *end || max == 0) return pieces;
    const Range wanted{from, from + std::min(max, *end - from)};

    if (auto fresh = refresh(); !fresh) return fresh.error();
    std::vector<LogPiece> read;
    for (const auto& range : index_.present(wanted, Stream::both)) {
        auto bytes = read_range(range);
        if (!bytes) return bytes.error();
        read.push_back({range.from, std::move(*bytes)});
    }
    // A hole is published before it is punched, and a stream's mark before its bytes: now the index
    // has all that concerns the bytes just read.
    if (auto fresh = refresh(); !fresh) return fresh.error();
    for (auto& piece : read) {
        const Range whole{piece.from, piece.from + piece.bytes.size()};
        const auto parts = index_.present(whole, stream);
        if (parts == std::vector{whole}) {
            pieces.push_back(std::move(piece));
            continue;
        }
        for (const auto& part : parts) {
            pieces.push_back({part.from, piece.bytes.substr(part.from - piece.from, part.size())});
        }
    }
    return pieces;
}

Result<std::vector<Range>> LogReader::holes() {
    if (auto fresh = refresh(); !fresh) return fresh.error();
    return index_.holes();
}

Result<void> LogReader::refresh() {
    if (!open_file(directory_.get(), "index", index_file_)) {
        if (errno == ENOENT) return {};
        return failed("index", errno);
    }
    std::string block(kIndexBlock, '\0');
    while (true) {
        const auto taken = index_.taken_bytes();
        const auto got = retry_eintr([&] {
            return ::pread(index_file_.get(), block.data(), block.size(),
                           static_cast<off_t>(taken));
        });
        if (got < 0) return failed("index", errno);
        index_.take(std::string_view{block}.substr(0, static_cast<std::size_t>(got)));
        if (index_.taken_bytes() == taken) return {};
    }
}

Result<std::string> LogReader::read_range(Range range) {
    std::string bytes(range.size(), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const auto got = retry_eintr([&] {
            return ::pread(log_.get(), bytes.data() + filled, bytes.size() - filled,
                           static_cast<off_t>(range.from + filled));
        });
        if (got < 0) return failed("log", errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace bgshell::store
