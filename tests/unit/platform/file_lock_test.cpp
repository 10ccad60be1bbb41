#include "platform/file_lock.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "platform/unique_fd.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::platform;

struct LockFixture {
    bgshell::test::TemporaryDirectory place;
    UniqueFd open() const {
        return UniqueFd{::open(place.file("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    }
};

TEST_CASE_FIXTURE(LockFixture, "one holder at a time, until its descriptor is closed") {
    UniqueFd first = open();
    const UniqueFd second = open();
    CHECK_FALSE(*is_locked(second.get()));
    CHECK(*try_lock(first.get()));
    CHECK(*try_lock(first.get()));  // it is ours already
    CHECK_FALSE(*try_lock(second.get()));
    CHECK(*is_locked(second.get()));
    CHECK_FALSE(*try_lock(second.get()));
    first.reset();
    CHECK_FALSE(*is_locked(second.get()));
    CHECK(*try_lock(second.get()));
}

TEST_CASE_FIXTURE(LockFixture, "a lock lives as long as any copy of its descriptor") {
    UniqueFd first = open();
    REQUIRE(*try_lock(first.get()));
    UniqueFd copy{::fcntl(first.get(), F_DUPFD_CLOEXEC, 0)};
    first.reset();
    const UniqueFd asking = open();
    CHECK(*is_locked(asking.get()));
    copy.reset();
    CHECK_FALSE(*is_locked(asking.get()));
}

TEST_CASE_FIXTURE(LockFixture, "asking leaves no lock behind, and several may ask") {
    const UniqueFd first = open();
    const UniqueFd second = open();
    CHECK_FALSE(*is_locked(first.get()));
    CHECK_FALSE(*is_locked(second.get()));
    CHECK(*try_lock(second.get()));
}

TEST_CASE("a descriptor that is none is an error, not an answer") {
    CHECK(try_lock(-1).error() == errno_code(EBADF));
    CHECK(is_locked(-1).error() == errno_code(EBADF));
}

}  // namespace
