#include "store/log_reader.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "files.hpp"
#include "samples.hpp"

namespace bgshell::store::test {
namespace {

using keeper::IndexEntry;
using keeper::IndexKind;
using Pieces = std::vector<LogPiece>;

struct LogFixture {
    ScratchDirectory scratch;
    StateDirectory state = value(StateDirectory::open(scratch / "state", false));
    JobDirectory job = value(JobDirectory::create(state, "make"));
    LogReader reader = value(LogReader::open(job));

    void append(const std::string& name, const std::string& bytes) {
        const auto path = state.job_path(job.id()) + "/" + name;
        const File file{std::fopen(path.c_str(), "ab"), &std::fclose};
        REQUIRE(file);
        REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size());
    }
    void index(const IndexEntry& entry) { append("index", keeper::encode(entry)); }
};

TEST_CASE_FIXTURE(LogFixture, "an absent log reads as an empty one until it is there") {
    CHECK(value(reader.size()) == 0);
    CHECK(value(reader.read(0, 100)).empty());
    CHECK(value(reader.holes()).empty());
    append("log", "hello");
    CHECK(value(reader.size()) == 5);
    CHECK(value(reader.read(0, 100)) == Pieces{{0, "hello"}});
}

TEST_CASE_FIXTURE(LogFixture, "a read is bounded by its arguments and by the end") {
    append("log", "0123456789");
    CHECK(value(reader.read(2, 3)) == Pieces{{2, "234"}});
    CHECK(value(reader.read(8, 100)) == Pieces{{8, "89"}});
    CHECK(value(reader.read(9, UINT64_MAX)) == Pieces{{9, "9"}});
    CHECK(value(reader.read(10, 5)).empty());
    CHECK(value(reader.read(UINT64_MAX, UINT64_MAX)).empty());
    CHECK(value(reader.read(3, 0)).empty());
}

TEST_CASE_FIXTURE(LogFixture, "the log grows under a reader that stays") {
    append("log", "one\n");
    CHECK(value(reader.read(0, 100)) == Pieces{{0, "one\n"}});
    append("log", "two\n");
    CHECK(value(reader.read(4, 100)) == Pieces{{4, "two\n"}});
}

TEST_CASE_FIXTURE(LogFixture, "bytes in a hole are absent, also in one that is published later") {
    append("log", "0123456789");
    index({IndexKind::hole, 2, 4});
    CHECK(value(reader.read(0, 100)) == Pieces{{0, "01"}, {4, "456789"}});
    index({IndexKind::hole, 3, 7});
    CHECK(value(reader.read(0, 100)) == Pieces{{0, "01"}, {7, "789"}});
    CHECK(value(reader.holes()) == std::vector<Range>{{2, 7}});
    CHECK(value(reader.read(3, 2)).empty());
    CHECK(value(reader.size()) == 10);
}

TEST_CASE_FIXTURE(LogFixture, "a stream's bytes are picked out") {
    index({IndexKind::out, 0, 0});
    append("log", "out1");
    index({IndexKind::err, 4, 0});
    append("log", "err");
    index({IndexKind::out, 7, 0});
    append("log", "out2");
    CHECK(value(reader.read(0, 100, Stream::both)) == Pieces{{0, "out1errout2"}});
    CHECK(value(reader.read(0, 100, Stream::out)) == Pieces{{0, "out1"}, {7, "out2"}});
    CHECK(value(reader.read(0, 100, Stream::err)) == Pieces{{4, "err"}});
    index({IndexKind::hole, 0, 5});
    CHECK(value(reader.read(0, 100, Stream::out)) == Pieces{{7, "out2"}});
    CHECK(value(reader.read(0, 100, Stream::err)) == Pieces{{5, "rr"}});
}

TEST_CASE_FIXTURE(LogFixture, "an index longer than one read is taken whole") {
    append("log", std::string(10'000, 'x'));
    for (std::uint64_t i = 0; i < 4000; ++i) index({IndexKind::hole, 2 * i, 2 * i + 1});
    CHECK(value(reader.holes()).size() == 4000);
    const auto pieces = value(reader.read(0, 10'000));
    REQUIRE(pieces.size() == 4000);
    CHECK(pieces.front() == LogPiece{1, "x"});
    CHECK(pieces.back() == LogPiece{7999, std::string(2001, 'x')});
}

TEST_CASE_FIXTURE(LogFixture, "a huge rolled log costs only what is left of it") {
    append("log", "begin");
    REQUIRE(::truncate((state.job_path(job.id()) + "/log").c_str(), off_t{1} << 40) == 0);
    append("log", "end");
    index({IndexKind::hole, 5, std::uint64_t{1} << 40});
    CHECK(value(reader.read(0, UINT64_MAX)) ==
          Pieces{{0, "begin"}, {std::uint64_t{1} << 40, "end"}});
}

TEST_CASE_FIXTURE(LogFixture, "the reader outlives the directory") {
    append("log", "still here");
    CHECK(value(reader.size()) == 10);
    ok(job.remove(state));
    CHECK(value(reader.read(0, 100)) == Pieces{{0, "still here"}});
}

}  // namespace
}  // namespace bgshell::store::test
