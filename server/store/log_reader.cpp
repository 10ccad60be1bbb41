#include "store/log_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "platform/cached_file.hpp"
#include "platform/outcome.hpp"

namespace bgshell::store {
namespace {

using platform::retry_eintr;
using platform::UniqueFd;

// Of most jobs the index is empty, or an entry or two.
constexpr std::size_t kIndexBlock = keeper::kIndexEntryBytes * 256;

}  // namespace

Result<LogReader> LogReader::open(const JobDirectory& directory, Patience patience) {
    UniqueFd own{::fcntl(directory.fd(), F_DUPFD_CLOEXEC, 0)};
    const int number = errno;
    LogReader reader{directory.id().text(), std::move(own), patience};
    if (!reader.directory_) return reader.failed("directory", number);
    return reader;
}

bool LogReader::open_file(const char* name, UniqueFd& file) const {
    if (file) return true;
    constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    if (patience_ == Patience::none) {
        auto opened = platform::open_cached(directory_.get(), name, kFlags);
        if (opened) {
            file = std::move(*opened);
            return true;
        }
        errno = opened.error().value();
        // Most jobs have no index, and no cache knows that before somebody has looked for it. So it
        // is looked for here; that may be a wait, of one look-up at most (see Patience).
        if (errno != EAGAIN || !log_) return false;
    }
    file.reset(retry_eintr([&] { return ::openat(directory_.get(), name, kFlags); }));
    return file.get() >= 0;
}

ssize_t LogReader::read_some(int fd, char* bytes, std::size_t count, std::uint64_t offset) const {
    const auto at = static_cast<off_t>(offset);
    if (patience_ == Patience::none) return platform::read_cached(fd, bytes, count, at);
    return retry_eintr([&] { return ::pread(fd, bytes, count, at); });
}

Error LogReader::failed(const char* file, int number) const {
    return Error{ErrorKind::io,
                 "The " + std::string{file} + " of job " + name_ +
                     " cannot be read: " + std::strerror(number) + ".",
                 number};
}

Result<std::uint64_t> LogReader::size() {
    if (!open_file("log", log_)) {
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

    // Only spares reading what is gone; newer holes are left out below.
    if (!index_known_) {
        if (auto fresh = refresh(); !fresh) return fresh.error();
    }
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

Result<std::vector<Range>> LogReader::mixed(Range range) {
    if (auto fresh = refresh(); !fresh) return fresh.error();
    return index_.mixed(range);
}

Result<void> LogReader::refresh() {
    if (!open_file("index", index_file_)) {
        if (errno != ENOENT) return failed("index", errno);
        index_known_ = true;
        return {};
    }
    std::array<char, kIndexBlock> block;
    while (true) {
        const auto taken = index_.taken_bytes();
        const auto got = read_some(index_file_.get(), block.data(), block.size(), taken);
        if (got < 0) return failed("index", errno);
        index_.take(std::string_view{block.data(), static_cast<std::size_t>(got)});
        if (index_.taken_bytes() == taken) break;
    }
    index_known_ = true;
    return {};
}

Result<std::string> LogReader::read_range(Range range) {
    read_bytes_ += range.size();
    if (patience_ == Patience::none && read_bytes_ > kMostWithoutPatience) {
        return failed("log", EAGAIN);
    }
    std::string bytes(range.size(), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const auto got = read_some(log_.get(), bytes.data() + filled, bytes.size() - filled,
                                   range.from + filled);
        if (got < 0) return failed("log", errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace bgshell::store
