// Error and Result of the store: what went wrong with which file, in words for a person.
#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace bgshell::store {

enum class ErrorKind : std::uint8_t {
    not_ours,  // a directory of the state path is owned or writable by somebody else
    network,   // the state directory lies on a network file system
    io,        // a system call failed; `number` is its errno
    database,  // SQLite refused, or the file is damaged; the text has its message
    busy,      // another process keeps the registry locked; trying again may help
    newer,     // written by a newer release of bgshell
    not_found,
};

class Error {
  public:
    // For result::error() of Boost 1.81, which must be able to make one for a result with a value.
    Error() = default;
    Error(ErrorKind kind, std::string text, int number = 0)
        : kind_{kind}, number_{number}, text_{std::move(text)} {}
    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
    // errno, 0 if none.
    [[nodiscard]] int number() const noexcept { return number_; }
    // Whether a registry with this error can be read, and perhaps written a moment later: another
    // process has it locked, or the disk is full.
    [[nodiscard]] bool may_pass() const noexcept {
        return kind_ == ErrorKind::busy || number_ == ENOSPC || number_ == EDQUOT;
    }
    // A whole sentence that names the file or directory and, where there is one, the next step.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

  private:
    ErrorKind kind_ = ErrorKind::io;
    int number_ = 0;
    std::string text_;
};

[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
    throw std::runtime_error{error.text()};
}

template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace bgshell::store
