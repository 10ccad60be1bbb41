// What an exception that nobody caught says, for a log.
#pragma once

#include <exception>
#include <string>

namespace bgshell::platform {

// `failure` is not null.
[[nodiscard]] inline std::string exception_text(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

}  // namespace bgshell::platform
