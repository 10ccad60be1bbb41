#include "keeper/leftover_list.hpp"

#include <doctest/doctest.h>

using namespace bgshell::keeper;

namespace {

LivingProcess process(int pid, std::uint64_t start) {
    return {.name = {.pid = pid, .command = "p" + std::to_string(pid), .user = {}},
            .start_ticks = start};
}

}  // namespace

TEST_CASE("only a change is a change") {
    LeftoverList list;
    CHECK_FALSE(list.update({}, false));
    CHECK(list.update({process(10, 1), process(11, 1)}, false));
    CHECK_FALSE(list.update({process(11, 1), process(10, 1)}, false));
    CHECK(list.update({process(11, 1)}, false));
    CHECK(list.update({process(12, 1)}, false));
    CHECK(list.message().processes == std::vector<ProcessName>{process(12, 1).name});
}

TEST_CASE("each process has one fate") {
    LeftoverList list;
    list.update({process(10, 1), process(11, 1), process(12, 1)}, false);
    list.update({process(11, 1), process(12, 1)}, false);
    list.update({process(12, 1)}, true);
    const auto fates = list.fates();
    REQUIRE(fates.size() == 3);
    CHECK(fates[0].process.pid == 10);
    CHECK(fates[0].fate == LeftoverFate::exited);
    CHECK(fates[1].process.pid == 11);
    CHECK(fates[1].fate == LeftoverFate::killed);
    CHECK(fates[2].process.pid == 12);
    CHECK(fates[2].fate == LeftoverFate::survived);
}

TEST_CASE("a pid that passed on is another process") {
    LeftoverList list;
    list.update({process(10, 1)}, false);
    CHECK(list.update({process(10, 2)}, false));
    CHECK(list.fates().size() == 2);
}
