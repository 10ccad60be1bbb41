#include "store/owner_lock.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "samples.hpp"

namespace bgshell::store::test {
namespace {

TEST_CASE("an owner lives as long as its lock is held") {
    const ScratchDirectory scratch;
    const auto state = value(StateDirectory::open(scratch / "state", false));
    CHECK_FALSE(value(OwnerLock::is_alive(state, "owner1")));
    std::optional<OwnerLock> lock{value(OwnerLock::acquire(state, "owner1"))};
    CHECK(value(OwnerLock::is_alive(state, "owner1")));
    CHECK(value(OwnerLock::is_alive(state, "owner1")));  // asking ends nothing
    CHECK_FALSE(value(OwnerLock::is_alive(state, "owner2")));
    CHECK(error_of(OwnerLock::acquire(state, "owner1")).kind() == ErrorKind::busy);
    lock.reset();
    CHECK_FALSE(value(OwnerLock::is_alive(state, "owner1")));
    CHECK(OwnerLock::acquire(state, "owner1").has_value());
}

TEST_CASE("an owner that is no file name is refused") {
    const ScratchDirectory scratch;
    const auto state = value(StateDirectory::open(scratch / "state", false));
    for (const auto* owner : {"", "../jobs/x", "a/b"}) {
        CAPTURE(owner);
        CHECK(error_of(OwnerLock::acquire(state, owner)).number() == EINVAL);
        CHECK(error_of(OwnerLock::is_alive(state, owner)).number() == EINVAL);
    }
}

}  // namespace
}  // namespace bgshell::store::test
