// What every strict decoder must do with a damaged form of a valid encoding.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace bgshell::test {

// `decode` takes a string_view and gives an optional. Every proper prefix of `bytes`, and `bytes`
// with one more, must be refused.
template <class Decode>
void refuses_other_lengths(const std::string& bytes, Decode decode) {
    REQUIRE(decode(std::string_view{bytes}).has_value());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        CAPTURE(length);
        CHECK_FALSE(decode(std::string_view{bytes}.substr(0, length)).has_value());
    }
    CHECK_FALSE(decode(bytes + 'x').has_value());
}

}  // namespace bgshell::test
