// TinyDisk: a file system of its own that is easily filled. Only root can make one: ask `usable`.
#pragma once

#include <doctest/doctest.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace bgshell::test {

class TinyDisk {
  public:
    // `options` of a tmpfs.
    explicit TinyDisk(const char* options) {
        std::string path = std::filesystem::temp_directory_path() / "bgshell-disk-XXXXXX";
        REQUIRE(::mkdtemp(path.data()) != nullptr);
        path_ = path;
        mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", MS_NODEV | MS_NOSUID, options) == 0;
        if (!mounted_)
            MESSAGE("skipped, no file system of its own: " << std::string{std::strerror(errno)});
    }
    TinyDisk(const TinyDisk&) = delete;
    TinyDisk& operator=(const TinyDisk&) = delete;
    ~TinyDisk() {
        if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
        std::filesystem::remove(path_);
    }
    [[nodiscard]] bool usable() const { return mounted_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    // Takes all space that is left, until `clear`.
    void fill() const {
        std::ofstream file{path_ + "/filler"};
        const std::string block(4096, 'x');
        while (file.write(block.data(), 4096).flush()) {
        }
    }
    void clear() const { std::filesystem::remove(path_ + "/filler"); }

  private:
    std::string path_;
    bool mounted_ = false;
};

}  // namespace bgshell::test
