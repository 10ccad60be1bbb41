#include "jobs/keeper_pool.hpp"

#include <doctest/doctest.h>

#include "process/jobs/scratch_state.hpp"

using namespace bgshell;

namespace {

struct PoolFixture {
    test::ScratchState state;
    platform::TaskScope tasks{state.loop().get_executor(), [](const std::exception_ptr&) {}};
    jobs::KeeperPool pool{state.loop().get_executor(), tasks};

    ~PoolFixture() {
        pool.clear();
        state.run(tasks.close());
    }
    jobs::KeeperPool::Link take() {
        auto taken = state.run(pool.take());
        REQUIRE(taken.has_value());
        REQUIRE(*taken != nullptr);
        return std::move(*taken);
    }
};

}  // namespace

TEST_CASE_FIXTURE(PoolFixture, "a keeper that was not needed is the spare, and given once") {
    auto first = take();
    auto second = take();
    const auto* const known = first.get();
    pool.put_back(std::move(first));
    pool.put_back(std::move(second));  // there is one already
    const auto again = take();
    CHECK(again.get() == known);
}

TEST_CASE_FIXTURE(PoolFixture, "keepers can be had again after all were let go") {
    pool.put_back(take());
    pool.clear();
    CHECK(take() != nullptr);
}
