#include "platform/random.hpp"

#include <sys/random.h>

#include <boost/system/system_error.hpp>

#include "platform/outcome.hpp"

namespace bgshell::platform {

void fill_random(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = retry_eintr([&] { return ::getrandom(bytes.data(), bytes.size(), 0); });
        if (got < 0) throw boost::system::system_error{last_error(), "getrandom"};
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

}  // namespace bgshell::platform
