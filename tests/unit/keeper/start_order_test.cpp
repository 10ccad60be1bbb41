#include "keeper/start_order.hpp"

#include <doctest/doctest.h>

#include "unit/keeper/truncation.hpp"

namespace {

using namespace bgshell::keeper;

StartOrder sample() {
    StartOrder order;
    order.id = *JobId::parse("k3f9x0ab");
    order.program = "/bin/bash";
    order.arguments = {"/bin/bash", "/state/jobs/k3f9x0ab/script"};
    order.environment = {"PATH=/usr/bin", "EMPTY=", "ODD\xFF=\xFE"};
    order.runtime_limit_ms = 1'800'000;
    order.output_limit_bytes = 32ULL << 20;
    order.output_limit_mode = OutputLimitMode::stop;
    order.orphan_grace_ms = 120'000;
    order.kill_grace_ms = 4000;
    order.open_stdin = true;
    order.split_stderr = false;
    order.open_files_soft = 1024;
    order.open_files_hard = ~0ULL;
    return order;
}

TEST_CASE("a start order comes back as it was written") {
    const StartOrder order = sample();
    const auto back = decode_start_order(encode(order));
    REQUIRE(back);
    CHECK(back->id == order.id);
    CHECK(back->program == order.program);
    CHECK(back->arguments == order.arguments);
    CHECK(back->environment == order.environment);
    CHECK(back->runtime_limit_ms == order.runtime_limit_ms);
    CHECK(back->output_limit_bytes == order.output_limit_bytes);
    CHECK(back->output_limit_mode == order.output_limit_mode);
    CHECK(back->orphan_grace_ms == order.orphan_grace_ms);
    CHECK(back->kill_grace_ms == order.kill_grace_ms);
    CHECK(back->open_stdin == order.open_stdin);
    CHECK(back->split_stderr == order.split_stderr);
    CHECK(back->open_files_soft == order.open_files_soft);
    CHECK(back->open_files_hard == order.open_files_hard);
}

TEST_CASE("a start order of another length is refused") {
    bgshell::test::refuses_other_lengths(encode(sample()), decode_start_order);
}

TEST_CASE("a start order that cannot be executed as written is refused") {
    StartOrder order = sample();
    SUBCASE("no id") {
        order.id = JobId{};
    }
    SUBCASE("relative program") {
        order.program = "bash";
    }
    SUBCASE("NUL in the program") {
        order.program.push_back('\0');
    }
    SUBCASE("no argv[0]") {
        order.arguments.clear();
    }
    SUBCASE("NUL in an argument") {
        order.arguments[1].push_back('\0');
    }
    SUBCASE("NUL in the environment") {
        order.environment[0].push_back('\0');
    }
    CHECK_FALSE(decode_start_order(encode(order)));
}

TEST_CASE("a count beyond the bytes that are there is refused without allocating for it") {
    std::string bytes = encode(sample());
    const std::string needle = "/bin/bash";
    const std::size_t count_at = bytes.find(needle) + needle.size();
    for (std::size_t i = 0; i < 4; ++i) bytes[count_at + i] = '\xFF';
    CHECK_FALSE(decode_start_order(bytes));
}

TEST_CASE("a start order of an unknown form is refused") {
    std::string bytes = encode(sample());
    bytes[0] = 2;
    CHECK_FALSE(decode_start_order(bytes));
}

}  // namespace
