// Whole files, for tests.
#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace bgshell::store::test {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

inline std::string contents(const std::string& path) {
    const File file{std::fopen(path.c_str(), "rb"), &std::fclose};
    REQUIRE(file);
    std::string bytes;
    std::vector<char> block(1 << 16);
    while (const auto got = std::fread(block.data(), 1, block.size(), file.get())) {
        bytes.append(block.data(), got);
    }
    return bytes;
}

inline void put(const std::string& path, const std::string& bytes) {
    const File file{std::fopen(path.c_str(), "wb"), &std::fclose};
    REQUIRE(file);
    REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size());
}

}  // namespace bgshell::store::test
