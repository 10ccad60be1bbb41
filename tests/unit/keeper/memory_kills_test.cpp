#include "keeper/memory_kills.hpp"

#include <doctest/doctest.h>

using namespace bgshell::keeper;

TEST_CASE("the counter is read from the files of both versions") {
    CHECK(parse_oom_kills("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n") == 2);
    CHECK(parse_oom_kills("oom_kill_disable 0\nunder_oom 0\noom_kill 7\n") == 7);
    CHECK(parse_oom_kills("oom_kill 7") == 7);
    CHECK_FALSE(parse_oom_kills("oom_kill_disable 0\n").has_value());
    CHECK_FALSE(parse_oom_kills("oom_kill x\n").has_value());
    CHECK_FALSE(parse_oom_kills("").has_value());
}

TEST_CASE("the counter's file is that of the memory controller, v1 before v2") {
    CHECK(memory_counter_path("0::/user.slice/a b\n") ==
          "/sys/fs/cgroup/user.slice/a b/memory.events");
    CHECK(memory_counter_path("5:cpu,memory:/x\n0::/y\n") ==
          "/sys/fs/cgroup/memory/x/memory.oom_control");
    CHECK(memory_counter_path("0::/y\n5:memory:/x:1\n") ==
          "/sys/fs/cgroup/memory/x:1/memory.oom_control");
    CHECK(memory_counter_path("3:cpuset:/x\n").empty());
    CHECK(memory_counter_path("nonsense").empty());
}
