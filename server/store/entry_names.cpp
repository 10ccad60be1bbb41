#include "store/entry_names.hpp"

#include <fcntl.h>

#include "platform/directory_stream.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::store {

platform::Outcome<std::vector<std::string>> entry_names(int directory) {
    // Not a duplicate: that would share the position of whoever reads `directory` too.
    platform::UniqueFd own{platform::retry_eintr(
        [&] { return ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); })};
    if (!own) return platform::last_error();
    const platform::DirectoryStream entries{::fdopendir(own.get())};
    if (!entries) return platform::last_error();
    static_cast<void>(own.release());  // closedir closes it
    std::vector<std::string> names;
    errno = 0;
    while (const auto* entry = ::readdir(entries.get())) {
        std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(std::move(name));
        errno = 0;
    }
    if (errno != 0) return platform::last_error();
    return names;
}

}  // namespace bgshell::store
