#include "text/lanes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace bgshell::text;

TEST_CASE("the first wanted byte is found wherever it stands") {
    const auto is_newline = [](Lanes lanes) { return lanes == '\n'; };
    for (std::size_t size = 0; size < 200; ++size) {
        const std::size_t whole = size / 16 * 16;
        std::string bytes(size, 'x');
        REQUIRE(prefix_without(bytes, is_newline) == whole);
        for (std::size_t at = 0; at < size; ++at) {
            bytes[at] = '\n';
            REQUIRE(prefix_without(bytes, is_newline) == std::min(at, whole));
            if (at + 1 < size) bytes[size - 1] = '\n';
            REQUIRE(prefix_without(bytes, is_newline) == std::min(at, whole));
            bytes[at] = bytes[size - 1] = 'x';
        }
    }
}
