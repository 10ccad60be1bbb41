#include "platform/memfd.hpp"

#include <doctest/doctest.h>

using namespace bgshell::platform;

TEST_CASE("what goes into memory comes out, whatever was read before, up to a limit") {
    const std::string bytes = std::string(100'000, 'x') + std::string("\0y", 2);
    const auto memory = make_memfd("test", bytes).value();
    CHECK(read_memfd(memory.get(), bytes.size()).value() == bytes);
    CHECK(read_memfd(memory.get(), bytes.size()).value() == bytes);
    CHECK(read_memfd(memory.get(), bytes.size() - 1).error() == errno_code(EFBIG));
    CHECK(read_memfd(make_memfd("test", "").value().get(), 10).value().empty());
}
