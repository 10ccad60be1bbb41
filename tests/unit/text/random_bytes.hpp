// Byte strings for property tests, from a fixed seed: rich in what breaks text code (escape
// sequences, line ends of all kinds, whole, cut and wrong UTF-8, NUL).
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace bgshell::text::test {

class RandomBytes {
  public:
    explicit RandomBytes(std::uint32_t seed) : engine_{seed} {}

    std::size_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>{0, limit - 1}(engine_);
    }
    std::string next(std::size_t parts) {
        using namespace std::string_view_literals;
        static constexpr std::array kParts{"a"sv,
                                           "word "sv,
                                           "\n"sv,
                                           "\r"sv,
                                           "\r\n"sv,
                                           "\t"sv,
                                           "\0"sv,
                                           "\b"sv,
                                           "\"\\"sv,
                                           "\x1b"sv,
                                           "\x1b["sv,
                                           "\x1b[31m"sv,
                                           "\x1b[2K"sv,
                                           "\x1b[K"sv,
                                           "\x1b[1K"sv,
                                           "\x1b[?25l"sv,
                                           "\x1b[5C"sv,
                                           "\x1b[3D"sv,
                                           "\x1b[9G"sv,
                                           "\x1b]0;title\a"sv,
                                           "\x1b]8;;x\x1b\\"sv,
                                           "\x1b(B"sv,
                                           "\x1bP1$q"sv,
                                           "\xE2\x89\xA4"sv,
                                           "\xF0\x9F\x98\x80"sv,
                                           "\xC3\xA4"sv,
                                           "\xE2\x80\xA8"sv,
                                           "\xE2\x80\xA9"sv,
                                           "\xE2\x89"sv,
                                           "\xF0\x9F"sv,
                                           "\xED\xA0\x80"sv,
                                           "\xFF"sv,
                                           "\x80"sv,
                                           "\xC2\x9B"sv,
                                           "\x7F"sv,
                                           "e\xCC\x81"sv,
                                           "0123456789abcdef"sv};
        std::string bytes;
        for (std::size_t part = 0; part < parts; ++part) bytes += kParts.at(below(kParts.size()));
        return bytes;
    }

  private:
    std::mt19937 engine_;
};

}  // namespace bgshell::text::test
