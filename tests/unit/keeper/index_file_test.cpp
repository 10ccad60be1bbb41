#include "keeper/index_file.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace {

using bgshell::keeper::decode_index;
using bgshell::keeper::encode;
using bgshell::keeper::IndexEntry;
using bgshell::keeper::IndexKind;
using bgshell::keeper::kIndexEntryBytes;

const std::vector<IndexEntry> kEntries{
    {IndexKind::out, 0, 0},
    {IndexKind::err, 7, 0},
    {IndexKind::hole, 4096, 8192},
    {IndexKind::hole, 0, std::numeric_limits<std::uint64_t>::max()},
    {IndexKind::mixed, std::numeric_limits<std::uint64_t>::max(), 0},
};

std::string encode_all() {
    std::string bytes;
    for (const IndexEntry& entry : kEntries) bytes += encode(entry);
    return bytes;
}

TEST_CASE("an index entry has the documented form") {
    const std::string bytes = encode(IndexEntry{IndexKind::hole, 0x1000, 0x0102030405060708});
    CHECK(bytes == std::string{"\x01\0\0\0"
                               "\0\0\0\0"
                               "\0\x10\0\0\0\0\0\0"
                               "\x08\x07\x06\x05\x04\x03\x02\x01",
                               kIndexEntryBytes});
}

TEST_CASE("index entries come back as they were written") {
    CHECK(decode_index(encode_all()) == kEntries);
    CHECK(decode_index("").empty());
}

TEST_CASE("a trailing part of an entry is an append in progress") {
    const std::string bytes = encode_all();
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        CAPTURE(length);
        const std::vector<IndexEntry> whole{
            kEntries.begin(), kEntries.begin() + static_cast<int>(length / kIndexEntryBytes)};
        CHECK(decode_index(std::string_view{bytes}.substr(0, length)) == whole);
    }
}

TEST_CASE("an invalid entry ends the reading") {
    const std::string good = encode(IndexEntry{IndexKind::hole, 0, 4096});
    std::string bad;
    SUBCASE("kind 0") {
        bad = encode(IndexEntry{static_cast<IndexKind>(0), 0, 0});
    }
    SUBCASE("kind 5") {
        bad = encode(IndexEntry{static_cast<IndexKind>(5), 0, 0});
    }
    SUBCASE("a hole that ends before it begins") {
        bad = encode(IndexEntry{IndexKind::hole, 2, 1});
    }
    SUBCASE("a stream with an end") {
        bad = encode(IndexEntry{IndexKind::out, 1, 2});
    }
    SUBCASE("the reserved word is not zero") {
        bad = good;
        bad[4] = 1;
    }
    CHECK(decode_index(good + bad + good).size() == 1);
}

}  // namespace
