#include "jobs/looks.hpp"

#include <doctest/doctest.h>

using bgshell::jobs::Looks;
using bgshell::keeper::JobId;

TEST_CASE("a first search looks at all output, a later one behind look and match") {
    Looks looks;
    const auto job = JobId::parse("k3f9x0ab").value();
    auto& look = looks.at("a", job);
    look.offset = 100;
    CHECK(look.search_from() == 0);
    look.searched = true;
    CHECK(look.search_from() == 100);
    look.match_end = 250;
    CHECK(look.search_from() == 250);
    look.offset = 300;
    CHECK(look.search_from() == 300);
}

TEST_CASE("each caller has its own look, and a removed job none") {
    Looks looks;
    const auto job = JobId::parse("k3f9x0ab").value();
    const auto other = JobId::parse("m7q2a7c3").value();
    looks.at("a", job).offset = 5;
    looks.at("a", other).offset = 7;
    CHECK_FALSE(looks.at("b", job).offset.has_value());
    looks.forget(job);
    CHECK(looks.find("a", job) == nullptr);
    CHECK(looks.find("b", job) == nullptr);
    REQUIRE(looks.find("a", other) != nullptr);
    CHECK(looks.find("a", other)->offset == 7);
}
