// Lanes: 16 bytes that the compiler handles at once on every processor (GCC and clang). What looks
// through text for the few bytes that are not plain skips the plain ones with it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bgshell::text {

using Lanes = std::uint8_t __attribute__((vector_size(16)));

[[nodiscard]] inline Lanes load_lanes(const char* bytes) noexcept {
    Lanes lanes;
    std::memcpy(&lanes, bytes, sizeof lanes);
    return lanes;
}

// How many lanes come before the first that is set; 16: none is. A comparison of lanes sets all
// bits of those where it holds.
template <class Mask>
[[nodiscard]] std::size_t first_set(const Mask& mask) noexcept {
    static_assert(sizeof mask == sizeof(Lanes));
    std::array<std::uint64_t, 2> halves;
    std::memcpy(halves.data(), &mask, sizeof mask);
    std::size_t lanes = 0;
    for (const std::uint64_t half : halves) {
        const int bits = std::endian::native == std::endian::little ? std::countr_zero(half)
                                                                    : std::countl_zero(half);
        lanes += static_cast<std::size_t>(bits) / 8;
        if (half != 0) break;
    }
    return lanes;
}

template <class Mask>
[[nodiscard]] bool any(const Mask& mask) noexcept {
    return first_set(mask) < sizeof(Lanes);
}

// The length of the longest beginning where `wanted(lanes)`, a comparison, holds nowhere. It does
// not look at the last bytes, fewer than 16, that fill no lanes.
template <class Wanted>
[[nodiscard]] std::size_t prefix_without(std::string_view bytes, const Wanted& wanted) noexcept {
    constexpr std::size_t kStep = sizeof(Lanes);
    const char* const data = bytes.data();
    std::size_t at = 0;
    for (; at + 4 * kStep <= bytes.size(); at += 4 * kStep) {
        const char* const here = data + at;
        if (any(wanted(load_lanes(here)) | wanted(load_lanes(here + kStep)) |
                wanted(load_lanes(here + 2 * kStep)) | wanted(load_lanes(here + 3 * kStep)))) {
            break;
        }
    }
    for (; at + kStep <= bytes.size(); at += kStep) {
        const std::size_t lane = first_set(wanted(load_lanes(data + at)));
        if (lane < kStep) return at + lane;
    }
    return at;
}

}  // namespace bgshell::text
