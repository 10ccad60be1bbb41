// A private directory below /tmp that is removed, with all in it, at the end of a test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace bgshell::test {

class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string path = "/tmp/bgshell-test-XXXXXX";
        if (::mkdtemp(path.data()) == nullptr) {
            throw std::system_error{errno, std::generic_category(), "mkdtemp"};
        }
        path_ = path;
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    // The absolute path of `name` in it; empty: its own.
    [[nodiscard]] std::string file(const std::string& name) const {
        return name.empty() ? path_ : path_ / name;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace bgshell::test
