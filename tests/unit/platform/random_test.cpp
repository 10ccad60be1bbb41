#include "platform/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {

TEST_CASE("every byte is drawn, whatever the length") {
    for (const std::size_t length : {0U, 1U, 7U, 1000U, 100'000U}) {
        CAPTURE(length);
        std::vector<std::byte> bytes(length + 1);
        // A byte is zero in all of 20 draws once in 2^160.
        std::vector<bool> touched(length);
        for (int i = 0; i < 20; ++i) {
            bgshell::platform::fill_random(std::span{bytes}.first(length));
            for (std::size_t at = 0; at < length; ++at) {
                if (bytes[at] != std::byte{0}) touched[at] = true;
            }
        }
        CHECK(std::ranges::all_of(touched, [](bool was) { return was; }));
        CHECK(bytes[length] == std::byte{0});
    }
}

}  // namespace
