#include "platform/write_all.hpp"

#include <unistd.h>

namespace bgshell::platform {

error_code write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto wrote = retry_eintr([&] { return ::write(fd, bytes.data(), bytes.size()); });
        if (wrote < 0) return last_error();
        bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return {};
}

}  // namespace bgshell::platform
