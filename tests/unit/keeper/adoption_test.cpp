#include "keeper/adoption.hpp"

#include <doctest/doctest.h>

using namespace bgshell::keeper;
using namespace std::chrono_literals;

namespace {
constexpr bgshell::platform::Instant kNow{100s};
}

TEST_CASE("the loss of the last adopter starts the grace") {
    Adoption adoption{120s};
    adoption.adopted();
    adoption.adopted();
    adoption.lost(kNow);
    CHECK_FALSE(adoption.deadline().has_value());
    adoption.lost(kNow + 1s);
    CHECK(adoption.deadline() == kNow + 121s);
}

TEST_CASE("an heir ends the grace, and may be lost in turn") {
    Adoption adoption{120s};
    adoption.adopted();
    adoption.lost(kNow);
    adoption.adopted();
    CHECK_FALSE(adoption.deadline().has_value());
    adoption.lost(kNow + 50s);
    CHECK(adoption.deadline() == kNow + 170s);
}

TEST_CASE("a release starts no grace, whoever remains") {
    Adoption adoption{120s};
    adoption.adopted();
    adoption.released();
    CHECK_FALSE(adoption.deadline().has_value());

    adoption.adopted();
    adoption.adopted();
    adoption.released();
    adoption.lost(kNow);
    CHECK(adoption.deadline() == kNow + 120s);
}

TEST_CASE("a grace of nothing is over at once") {
    Adoption adoption{0s};
    adoption.adopted();
    adoption.lost(kNow);
    CHECK(adoption.deadline() == kNow);
    adoption.expired();
    CHECK_FALSE(adoption.deadline().has_value());
}
