#include "store/log_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace bgshell::store::test {
namespace {

using keeper::IndexEntry;
using keeper::IndexKind;

LogIndex index_of(const std::vector<IndexEntry>& entries) {
    std::string bytes;
    for (const auto& entry : entries) bytes += keeper::encode(entry);
    LogIndex index;
    index.take(bytes);
    return index;
}

TEST_CASE("holes that overlap or touch are one") {
    const auto index = index_of({{IndexKind::hole, 100, 200},
                                 {IndexKind::hole, 300, 400},
                                 {IndexKind::hole, 150, 250},
                                 {IndexKind::hole, 250, 300},
                                 {IndexKind::hole, 500, 600},
                                 {IndexKind::hole, 10, 20},
                                 {IndexKind::hole, 7, 7}});
    CHECK(index.holes() == std::vector<Range>{{10, 20}, {100, 400}, {500, 600}});
    CHECK(index.present({0, 700}, Stream::both) ==
          std::vector<Range>{{0, 10}, {20, 100}, {400, 500}, {600, 700}});
    CHECK(index.present({150, 300}, Stream::both).empty());
    CHECK(index.present({150, 410}, Stream::both) == std::vector<Range>{{400, 410}});
    CHECK(index.present({5, 5}, Stream::both).empty());
}

TEST_CASE("a mark holds until the next one") {
    const auto index = index_of({{IndexKind::out, 10, 0},
                                 {IndexKind::err, 20, 0},
                                 {IndexKind::out, 30, 0},
                                 {IndexKind::mixed, 40, 0}});
    CHECK(index.present({0, 100}, Stream::both) == std::vector<Range>{{0, 100}});
    CHECK(index.present({0, 100}, Stream::out) == std::vector<Range>{{0, 20}, {30, 100}});
    CHECK(index.present({0, 100}, Stream::err) == std::vector<Range>{{0, 10}, {20, 30}, {40, 100}});
    CHECK(index.present({22, 28}, Stream::err) == std::vector<Range>{{22, 28}});
    CHECK(index.present({22, 28}, Stream::out).empty());
    CHECK(index.mixed({5, 100}) == std::vector<Range>{{5, 10}, {40, 100}});
    CHECK(index.mixed({12, 38}).empty());
}

TEST_CASE("without marks every byte belongs to both streams") {
    const auto index = index_of({{IndexKind::hole, 5, 6}});
    CHECK(index.present({0, 10}, Stream::err) == std::vector<Range>{{0, 5}, {6, 10}});
}

TEST_CASE("an entry that is not whole waits for its rest, an invalid one ends the reading") {
    const auto first = keeper::encode(IndexEntry{IndexKind::hole, 1, 2});
    const auto second = keeper::encode(IndexEntry{IndexKind::hole, 5, 6});
    LogIndex index;
    index.take(first + second.substr(0, 23));
    CHECK(index.taken_bytes() == 24);
    CHECK(index.holes().size() == 1);
    index.take(second);
    CHECK(index.taken_bytes() == 48);
    CHECK(index.holes().size() == 2);
    index.take(std::string(24, '\x7f') + first);
    CHECK(index.taken_bytes() == 48);
    index.take(keeper::encode(IndexEntry{IndexKind::hole, 8, 9}));
    CHECK(index.holes().size() == 2);
}

// One byte after the other, as the grammar says it.
std::vector<Range> model(const std::vector<IndexEntry>& entries, Range range, Stream stream) {
    std::vector<Range> parts;
    for (auto at = range.from; at < range.to; ++at) {
        bool there = true;
        auto kind = IndexKind::mixed;
        for (const auto& entry : entries) {
            if (entry.kind == IndexKind::hole) {
                if (at >= entry.from && at < entry.to) there = false;
            } else if (at >= entry.from) {
                kind = entry.kind;
            }
        }
        if (stream == Stream::out && kind == IndexKind::err) there = false;
        if (stream == Stream::err && kind == IndexKind::out) there = false;
        if (!there) continue;
        if (!parts.empty() && parts.back().to == at) {
            ++parts.back().to;
        } else {
            parts.push_back({at, at + 1});
        }
    }
    return parts;
}

TEST_CASE("generated indexes read as the grammar says, taken whole or in pieces") {
    std::mt19937 random{20240607};
    const auto below = [&](unsigned limit) {
        return std::uniform_int_distribution<unsigned>{0, limit - 1}(random);
    };
    for (int round = 0; round < 500; ++round) {
        CAPTURE(round);
        std::vector<IndexEntry> entries;
        std::uint64_t end = 0;
        for (auto count = below(12); count > 0; --count) {
            if (below(2) == 0) {
                const std::uint64_t from = below(100);
                entries.push_back({IndexKind::hole, from, from + below(30)});
            } else {
                end += below(15);
                entries.push_back({static_cast<IndexKind>(2 + below(3)), end, 0});
            }
        }
        std::string bytes;
        for (const auto& entry : entries) bytes += keeper::encode(entry);
        LogIndex index;
        for (std::size_t known = 0; known < bytes.size();) {
            known = std::min(bytes.size(), known + 1 + below(60));
            index.take(std::string_view{bytes}.substr(0, known).substr(index.taken_bytes()));
        }
        const std::uint64_t from = below(120);
        const Range range{from, from + below(60)};
        for (const auto stream : {Stream::both, Stream::out, Stream::err}) {
            CHECK(index.present(range, stream) == model(entries, range, stream));
        }
    }
}

}  // namespace
}  // namespace bgshell::store::test
