#include "platform/durable_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/unique_fd.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::platform;
namespace fs = std::filesystem;

struct Fixture {
    bgshell::test::TemporaryDirectory place;
    UniqueFd directory{::open(place.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};

    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator{place.path()}, fs::directory_iterator{}));
    }
    Outcome<std::string> read(const char* name, std::size_t max = 1 << 20) const {
        return read_whole(directory.get(), name, max);
    }
};

TEST_CASE_FIXTURE(Fixture, "a file is written, replaced and read as a whole") {
    CHECK_FALSE(write_durably(directory.get(), "x", "one"));
    CHECK(*read("x") == "one");
    const std::string large(300'000, 'y');
    CHECK_FALSE(write_durably(directory.get(), "x", large));
    CHECK(*read("x") == large);
    CHECK_FALSE(write_durably(directory.get(), "x", ""));
    CHECK(read("x")->empty());
    CHECK(entries() == 1);
}

TEST_CASE_FIXTURE(Fixture, "a file is private whatever the umask") {
    for (const mode_t mask : {0U, 0777U}) {
        const mode_t before = ::umask(mask);
        const error_code error = write_durably(directory.get(), "x", "one");
        ::umask(before);
        CHECK_FALSE(error);
        CHECK(fs::status(place.file("x")).permissions() ==
              (fs::perms::owner_read | fs::perms::owner_write));
    }
}

TEST_CASE_FIXTURE(Fixture, "a symbolic link is replaced, its target is not touched") {
    CHECK_FALSE(write_durably(directory.get(), "target", "old"));
    fs::create_symlink("target", place.file("x"));
    CHECK(read("x").error() == errno_code(ELOOP));
    CHECK_FALSE(write_durably(directory.get(), "x", "new"));
    CHECK(*read("x") == "new");
    CHECK(*read("target") == "old");
}

TEST_CASE_FIXTURE(Fixture, "a failed write leaves what was there, and nothing else") {
    fs::create_directory(place.file("x"));
    fs::create_directory(place.file("x/full"));
    CHECK(write_durably(directory.get(), "x", "new") == errno_code(EISDIR));
    CHECK(entries() == 1);
    CHECK(write_durably(directory.get(), "no/such", "new") == errno_code(ENOENT));
    CHECK(entries() == 1);
    CHECK(write_durably(-1, "x", "new") == errno_code(EBADF));
}

TEST_CASE_FIXTURE(Fixture, "only a regular file within the bound is read") {
    CHECK(read("absent").error() == errno_code(ENOENT));
    fs::create_directory(place.file("folder"));
    CHECK(read("folder").error() == errno_code(EINVAL));
    REQUIRE(::mkfifo(place.file("fifo").c_str(), 0600) == 0);
    CHECK(read("fifo").error() == errno_code(EINVAL));
    CHECK_FALSE(write_durably(directory.get(), "x", std::string(40'000, 'x')));
    CHECK(read("x", 40'000)->size() == 40'000);
    CHECK(read("x", 39'999).error() == errno_code(EFBIG));
    CHECK(read("x", 0).error() == errno_code(EFBIG));
}

}  // namespace
