#include "store/job_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "platform/cached_file.hpp"
#include "platform/durable_file.hpp"
#include "platform/file_lock.hpp"
#include "platform/outcome.hpp"
#include "platform/write_all.hpp"
#include "store/entry_names.hpp"

namespace bgshell::store {
namespace {

using platform::error_code;
using platform::last_error;
using platform::Outcome;
using platform::retry_eintr;
using platform::UniqueFd;

// Far above what the encoders write: 4 KiB of command and 16 leftovers, escaped.
constexpr std::size_t kMaxRecordBytes = 256 << 10;

Error failed(const std::string& path, const std::string& what, error_code error) {
    std::string text = path + " " + what + ": " + error.message() + ".";
    switch (error.value()) {
        case ENOSPC:
        case EDQUOT:
            text += " Free some space.";
            break;
        case EROFS:
        case EACCES:
        case EPERM:
            text += " Make it writable, or set BGSHELL_STATE to a directory that is.";
            break;
        default:
            break;
    }
    return Error{ErrorKind::io, std::move(text), error.value()};
}

Outcome<UniqueFd> open_directory(const StateDirectory& state, const keeper::JobId& id,
                                 Patience patience) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const char* const name = id.text().c_str();
    if (patience == Patience::none) return platform::open_cached(state.jobs_fd(), name, kFlags);
    UniqueFd directory{retry_eintr([&] { return ::openat(state.jobs_fd(), name, kFlags); })};
    if (!directory) return last_error();
    return directory;
}

Outcome<UniqueFd> make_file(int directory, const char* name, int flags) {
    UniqueFd file{retry_eintr(
        [&] { return ::openat(directory, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600); })};
    if (!file || ::fchmod(file.get(), 0600) != 0) return last_error();
    return file;
}

// Nothing of the file remains if it fails; one that is there already is left alone.
error_code write_new_file(int directory, const char* name, std::string_view bytes) {
    const auto file = make_file(directory, name, O_WRONLY | O_EXCL);
    if (!file) return file.error();
    const auto error = platform::write_all(file->get(), bytes);
    if (error) ::unlinkat(directory, name, 0);
    return error;
}

// The lock, held, and the script of a directory that has just been made.
Outcome<UniqueFd> furnish(int directory, std::string_view script) {
    if (::fchmod(directory, 0700) != 0) return last_error();
    auto lock = make_file(directory, "lock", O_RDWR | O_EXCL);
    if (!lock) return lock.error();
    const auto locked = platform::try_lock(lock->get());
    if (!locked) return locked.error();
    if (!*locked) return platform::errno_code(EWOULDBLOCK);
    if (const auto error = write_new_file(directory, "script", script)) return error;
    return lock;
}

template <class Record>
std::optional<Record> read_record(int directory, const char* name, const keeper::JobId& id,
                                  std::optional<Record> (*decode)(std::string_view)) {
    const auto text = platform::read_whole(directory, name, kMaxRecordBytes);
    if (!text) return std::nullopt;
    auto record = decode(*text);
    if (record && record->id != id) return std::nullopt;
    return record;
}

}  // namespace

JobDirectory::JobDirectory(keeper::JobId id, UniqueFd directory, UniqueFd lock)
    : id_{std::move(id)}, directory_{std::move(directory)}, lock_{std::move(lock)} {}

Result<JobDirectory> JobDirectory::create(const StateDirectory& state, std::string_view script) {
    auto id = keeper::JobId::random();
    while (::mkdirat(state.jobs_fd(), id.text().c_str(), 0700) != 0) {
        if (errno != EEXIST) return failed(state.job_path(id), "cannot be made", last_error());
        id = keeper::JobId::random();
    }

    auto directory = open_directory(state, id, Patience::waits);
    auto lock = directory ? furnish(directory->get(), script) : directory.error();
    if (lock) return JobDirectory{std::move(id), std::move(*directory), std::move(*lock)};
    const auto error = lock.error();
    if (directory) {
        ::unlinkat(directory->get(), "lock", 0);
    }
    ::unlinkat(state.jobs_fd(), id.text().c_str(), AT_REMOVEDIR);
    return failed(state.job_path(id), "cannot be filled", error);
}

Result<JobDirectory> JobDirectory::open(const StateDirectory& state, const keeper::JobId& id,
                                        Patience patience) {
    auto directory = open_directory(state, id, patience);
    if (!directory && directory.error().value() == ENOENT) {
        return Error{ErrorKind::not_found, "The directory of job " + id.text() +
                                               " is gone, and its log with it: " +
                                               state.job_path(id) + " does not exist."};
    }
    if (!directory) return failed(state.job_path(id), "cannot be opened", directory.error());
    return JobDirectory{id, std::move(*directory), UniqueFd{}};
}

Result<bool> JobDirectory::try_lock() {
    if (lock_) return true;
    auto file = make_file(directory_.get(), "lock", O_RDWR);
    if (!file) return failed("The lock of job " + id_.text(), "cannot be opened", file.error());
    const auto locked = platform::try_lock(file->get());
    if (!locked) return failed("The lock of job " + id_.text(), "cannot be taken", locked.error());
    if (*locked) lock_ = std::move(*file);
    return *locked;
}

Result<void> JobDirectory::write_spec(const keeper::JobSpec& spec) const {
    const auto error = write_new_file(directory_.get(), "spec.json", keeper::encode_spec(spec));
    if (!error) return {};
    return failed("spec.json of job " + id_.text(), "cannot be written", error);
}

std::optional<keeper::JobSpec> JobDirectory::read_spec() const {
    return read_record(directory_.get(), "spec.json", id_, &keeper::decode_spec);
}

std::optional<keeper::ExitRecord> JobDirectory::read_exit() const {
    return read_record(directory_.get(), "exit.json", id_, &keeper::decode_exit);
}

std::optional<keeper::AfterRecord> JobDirectory::read_after() const {
    return read_record(directory_.get(), "after.json", id_, &keeper::decode_after);
}

std::uint64_t JobDirectory::disk_bytes() const {
    auto names = entry_names(directory_.get());
    if (!names) return 0;
    names->emplace_back(".");  // its own blocks
    std::uint64_t blocks = 0;
    for (const auto& name : *names) {
        struct stat status {};
        if (::fstatat(directory_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
            blocks += static_cast<std::uint64_t>(status.st_blocks);
        }
    }
    return blocks * 512;  // stat(2): the unit of st_blocks
}

Result<void> JobDirectory::remove(const StateDirectory& state) {
    if (::unlinkat(directory_.get(), "spec.json", 0) != 0 && errno != ENOENT) {
        return failed(state.job_path(id_), "cannot be removed", last_error());
    }
    std::error_code error;
    std::filesystem::remove_all(state.job_path(id_), error);
    if (error) {
        return failed(state.job_path(id_), "cannot be removed",
                      platform::errno_code(error.value()));
    }
    return {};
}

}  // namespace bgshell::store
