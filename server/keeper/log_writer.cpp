#include "keeper/log_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bgshell::keeper {
namespace {

using platform::error_code;
using platform::last_error;
using platform::Outcome;
using platform::retry_eintr;
using platform::UniqueFd;

Outcome<UniqueFd> create_file(int directory, const char* name) {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd fd{::openat(directory, name, flags, 0600)};
    if (!fd) return last_error();
    if (::fchmod(fd.get(), 0600) != 0) return last_error();
    return fd;
}

// `written` counts what arrived, also when an error follows.
error_code write_all(int fd, std::string_view bytes, std::size_t& written) {
    while (written < bytes.size()) {
        const auto rest = bytes.substr(written);
        const auto count = retry_eintr([&] { return ::write(fd, rest.data(), rest.size()); });
        if (count < 0) return last_error();
        if (count == 0) return platform::errno_code(EIO);
        written += static_cast<std::size_t>(count);
    }
    return {};
}

bool can_punch(int fd) {
    return ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, OutputLimit::kBlock) == 0;
}

}  // namespace

Outcome<LogWriter> LogWriter::create(int directory, OutputLimitMode mode,
                                     std::uint64_t limit_bytes) {
    auto log = create_file(directory, "log");
    if (!log) return log.error();
    if (mode == OutputLimitMode::roll && !can_punch(log->get())) mode = OutputLimitMode::stop;
    return LogWriter{directory, std::move(*log), mode, limit_bytes};
}

LogWriter::LogWriter(int directory, UniqueFd log, OutputLimitMode mode, std::uint64_t limit_bytes)
    : directory_{directory}, log_{std::move(log)}, mode_{mode}, limit_{mode, limit_bytes} {}

void LogWriter::append(std::string_view bytes, std::optional<IndexKind> stream) {
    produced_ += bytes.size();
    if (failure_) return;
    if (stream) failure_ = note_stream(*stream);
    if (!failure_) failure_ = store(bytes);
}

error_code LogWriter::store(std::string_view bytes) {
    while (!bytes.empty()) {
        const LogStep step = limit_.plan(bytes.size(), index_bytes_);
        if (step.hole) {
            const std::uint64_t size = limit_.size() + step.skip;
            if (const auto error = punch(*step.hole, size)) return error;
            limit_.punched(*step.hole);
            limit_.grown(step.skip);
        }
        if (const auto error = write_log(bytes.substr(step.skip, step.take - step.skip))) {
            return error;
        }
        bytes.remove_prefix(step.take);
    }
    return {};
}

// Published first, so that no reader ever takes the zeros of a hole for output.
error_code LogWriter::punch(const LogStep::Hole& hole, std::uint64_t log_size) {
    const IndexEntry entry{IndexKind::hole, hole.from, hole.to};
    if (const auto error = write_index(entry)) return error;
    const auto punched = retry_eintr([&] {
        return ::fallocate(log_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                           static_cast<off_t>(hole.from), static_cast<off_t>(hole.to - hole.from));
    });
    if (punched != 0) return last_error();
    if (log_size == limit_.size()) return {};
    // The hole reaches beyond what is written: the skipped bytes would be punched at once.
    const auto extended =
        retry_eintr([&] { return ::ftruncate(log_.get(), static_cast<off_t>(log_size)); });
    return extended != 0 ? last_error() : error_code{};
}

error_code LogWriter::note_stream(IndexKind stream) {
    if (stream_ == stream || stream_ == IndexKind::mixed) return {};
    // Streams that alternate byte by byte must not fill the limit with entries.
    if (index_bytes_ + kIndexEntryBytes > limit_.limit() / 8) stream = IndexKind::mixed;
    if (const auto error = write_index({stream, limit_.size(), 0})) return error;
    stream_ = stream;
    return {};
}

error_code LogWriter::write_index(const IndexEntry& entry) {
    if (!index_) {
        auto made = create_file(directory_, "index");
        if (!made) return made.error();
        index_ = std::move(*made);
    }
    std::size_t written = 0;
    const auto error = write_all(index_.get(), encode(entry), written);
    index_bytes_ += written;
    return error;
}

error_code LogWriter::write_log(std::string_view bytes) {
    std::size_t written = 0;
    const auto error = write_all(log_.get(), bytes, written);
    limit_.grown(written);
    return error;
}

std::string LogWriter::capture_cause() const {
    if (failure_) return failure_.message();
    if (produced_ > limit_.size()) return "the output limit was reached";
    return {};
}

}  // namespace bgshell::keeper
