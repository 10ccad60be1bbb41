// Error and Result of the domain: why a request was refused, in words for the one who asked.
#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace bgshell::jobs {

enum class ErrorKind : std::uint8_t {
    bad_argument,  // names the field, the value and the rule
    unknown_job,
    not_permitted,  // a job of somebody else
    no_input,       // send to a job without an open stdin
    refused,        // a limit
    unavailable,    // the state directory, the disk, the kernel
};

class Error {
  public:
    // For result::error() of Boost 1.81, which must be able to make one for a result with a value.
    Error() = default;
    Error(ErrorKind kind, std::string text) : kind_{kind}, text_{std::move(text)} {}
    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
    // Whole sentences without the tool's name, e.g. `cwd "/x" does not exist.`
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

  private:
    ErrorKind kind_ = ErrorKind::unavailable;
    std::string text_;
};

[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
    throw std::runtime_error{error.text()};
}

template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace bgshell::jobs
