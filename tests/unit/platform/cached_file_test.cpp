#include "platform/cached_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string>

#include "support/temporary_directory.hpp"

using namespace bgshell;

namespace {

struct CachedFixture {
    test::TemporaryDirectory scratch;
    platform::UniqueFd directory{::open(scratch.file("").c_str(), O_PATH | O_CLOEXEC)};

    CachedFixture() { std::ofstream{scratch.file("there")} << "some text"; }
    platform::Outcome<platform::UniqueFd> open(const char* name) const {
        return platform::open_cached(directory.get(), name, O_RDONLY | O_CLOEXEC);
    }
};

// Whether the kernel opens it without waiting, as it says itself.
bool is_cached(int directory, const char* name) {
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC;
    how.resolve = RESOLVE_CACHED;
    const platform::UniqueFd file{
        static_cast<int>(::syscall(SYS_openat2, directory, name, &how, sizeof how))};
    return bool{file};
}

}  // namespace

TEST_CASE_FIXTURE(CachedFixture, "what is in memory is read as by pread") {
    if (!is_cached(directory.get(), "there")) {
        MESSAGE("skipped: this kernel or file system does not tell what is in memory");
        return;
    }
    const auto file = open("there");
    REQUIRE(file.has_value());
    std::array<char, 32> bytes{};
    const auto got = platform::read_cached(file->get(), bytes.data(), bytes.size(), 5);
    if (got < 0) {  // the file system has no such reads
        CHECK((errno == EAGAIN || errno == EOPNOTSUPP));
        return;
    }
    CHECK(std::string(bytes.data(), static_cast<std::size_t>(got)) == "text");
    CHECK(platform::read_cached(file->get(), bytes.data(), bytes.size(), 9) == 0);
}

TEST_CASE_FIXTURE(CachedFixture, "what is not there is never opened, nor made") {
    CHECK_FALSE(open("absent").has_value());
    CHECK_FALSE(platform::open_cached(directory.get(), "absent", O_RDWR | O_CREAT).has_value());
    CHECK_FALSE(std::ifstream{scratch.file("absent")}.good());
}

TEST_CASE_FIXTURE(CachedFixture, "a descriptor that is none is an error, as of pread") {
    char byte = 0;
    CHECK(platform::read_cached(-1, &byte, 1, 0) == -1);
    CHECK(errno == EBADF);
}
