#include "platform/cached_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

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

// What was just written is in memory; where the kernel or the file system cannot tell, there is
// nothing to test.
bool cannot_tell(const std::error_code& error) {
    return error.value() != ENOENT && error.value() != ELOOP;
}

}  // namespace

TEST_CASE_FIXTURE(CachedFixture, "what is in memory is read as by pread") {
    const auto file = open("there");
    if (!file) {
        CHECK(cannot_tell(file.error()));
        return;
    }
    std::array<char, 32> bytes{};
    const auto got = platform::read_cached(file->get(), bytes.data(), bytes.size(), 5);
    if (got < 0) {
        CHECK(errno != EINTR);
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
