#include "tools/notice_block.hpp"

#include <doctest/doctest.h>

#include "unit/tools/sample_jobs.hpp"

using namespace bgshell::tools;
using namespace bgshell::tools::samples;
using bgshell::jobs::NoticeBlock;
using bgshell::jobs::NoticeItem;
using bgshell::store::NoticeKind;

namespace {

NoticeItem notice(std::int64_t row, JobSnapshot job, NoticeKind kind = NoticeKind::ended) {
    NoticeItem item;
    item.notice.row = row;
    item.notice.job = job.row.spec.id;
    item.notice.kind = kind;
    item.job = std::move(job);
    return item;
}

std::string joined(const NoticeText& text) {
    std::string all;
    for (const std::string& line : text.lines) all += line + "\n";
    return all;
}

}  // namespace

TEST_CASE("notices: ends in full, a failure with its last line") {
    NoticeBlock block;
    block.items.push_back(notice(1, succeeded("m7q2a7c3", "lint", 12100ms)));
    block.items.push_back(notice(2, failed("w9t40zrb", "api tests", 352s, 1)));
    block.items[1].last_line = "1 failed, 311 passed in 351.2s";
    const NoticeText text = notice_text(block, {}, "send");
    CHECK(
        joined(text) ==
        "also ended since you last looked:\n"
        "m7q2a7c3 \"lint\" succeeded after 12.1 s\n"
        "w9t40zrb \"api tests\" failed, exit code 1, after 5 min 52 s; last line (untrusted): \"1 "
        "failed, 311 passed in 351.2s\"\n");
    CHECK(text.rows == std::vector<std::int64_t>{1, 2});
    CHECK(text.structure.size() == 2);
}

TEST_CASE("notices: beyond five, as id and result on one line") {
    NoticeBlock block;
    for (int i = 0; i < 5; ++i) block.items.push_back(notice(i, succeeded("m7q2a7c3", "x", 1s)));
    block.items.push_back(notice(5, succeeded("t6jv81ne", "x", 1s)));
    block.items.push_back(notice(6, succeeded("c8w2xk5p", "x", 1s)));
    block.items.push_back(notice(7, failed("e0m7d3qa", "x", 1s, 2)));
    const NoticeText text = notice_text(block, {}, "send");
    REQUIRE(text.lines.size() == 7);
    CHECK(text.lines.back() == "and 3 more: t6jv81ne ok, c8w2xk5p ok, e0m7d3qa exit 2");
    CHECK(text.rows.size() == 8);
}

TEST_CASE("notices: what the answer states itself is not said twice") {
    NoticeBlock block;
    block.items.push_back(notice(1, succeeded("m7q2a7c3", "lint", 12100ms)));
    const NoticeText text = notice_text(block, {block.items[0].job.row.spec.id}, "send");
    CHECK(text.lines.empty());
    CHECK(text.structure.size() == 1);
    CHECK(text.rows.size() == 1);
}

TEST_CASE("notices: a limit that is near, unless the job has ended meanwhile") {
    NoticeBlock block;
    block.items.push_back(notice(1, running("k3f9x0ab", "train", 27min), NoticeKind::limit_near));
    CHECK(joined(notice_text(block, {}, "send")) ==
          "also since you last looked:\n"
          "k3f9x0ab \"train\" is stopped in 3 min by its limit of 30 min; send "
          "{\"id\":\"k3f9x0ab\",\"runtime_limit_s\":N}\n");
    block.items[0].job = succeeded("k3f9x0ab", "train", 28min);
    const NoticeText text = notice_text(block, {}, "send");
    CHECK(text.lines.empty());
    CHECK(text.rows.size() == 1);
}

TEST_CASE("notices: a repeat is marked") {
    NoticeBlock block;
    block.items.push_back(notice(1, succeeded("m7q2a7c3", "lint", 12100ms)));
    block.items[0].again = true;
    CHECK(joined(notice_text(block, {}, "send"))
              .ends_with("\nagain: m7q2a7c3 \"lint\" succeeded after 12.1 s\n"));
    block.items[0].again = false;
    block.items[0].earlier_session = true;
    CHECK(joined(notice_text(block, {}, "send"))
              .ends_with("\nfrom an earlier session: m7q2a7c3 \"lint\" succeeded after 12.1 s\n"));
}

TEST_CASE("notices: a start whose answer was lost") {
    NoticeBlock block;
    JobSnapshot job = running("k3f9x0ab", "tests", 3s);
    job.row.spec.command = "npm test";
    block.lost_starts.push_back({job, false});
    block.lost_starts.push_back({succeeded("m7q2a7c3", "lint", 3s), true});
    CHECK(joined(notice_text(block, {}, "send")) ==
          "the start call that was cut off runs as k3f9x0ab: npm test\n"
          "the start call that was answered, then cancelled, ran as m7q2a7c3: make\n");
}

TEST_CASE("notices: one answer takes a bounded number, the others stay untold") {
    NoticeBlock block;
    for (int i = 0; i < 1000; ++i) block.items.push_back(notice(i, succeeded("m7q2a7c3", "x", 1s)));
    const NoticeText text = notice_text(block, {}, "send");
    CHECK(text.rows.size() > 100);
    CHECK(text.rows.size() <= kNoticesOfOneAnswer);
    CHECK(text.structure.size() == text.rows.size());
}
