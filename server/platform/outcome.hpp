// Outcome<T>: what a system call gives, its value or the errno as an error_code.
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>
#include <cerrno>

namespace bgshell::platform {

using boost::system::error_code;

template <class T>
using Outcome = boost::system::result<T>;

// The calling thread's errno as an error_code. The one place where errno becomes one.
[[nodiscard]] inline error_code last_error() noexcept {
    return {errno, boost::system::system_category()};
}

[[nodiscard]] inline error_code errno_code(int number) noexcept {
    return {number, boost::system::system_category()};
}

// Calls `call` again as long as a signal interrupted it. `call` returns -1 and sets errno.
template <class Call>
auto retry_eintr(Call&& call) noexcept(noexcept(call())) {
    auto result = call();
    while (result == -1 && errno == EINTR) result = call();
    return result;
}

}  // namespace bgshell::platform
