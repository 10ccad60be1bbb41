#include "mcp/reply.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "tools/answer_budget.hpp"
#include "unit/mcp/fake_server.hpp"

using namespace bgshell;
using test::MemorySink;

namespace {

struct ReplyFixture {
    std::shared_ptr<MemorySink> sink = std::make_shared<MemorySink>();
    std::vector<bool> written;
    std::function<void(bool)> note() {
        return [this](bool done) { written.push_back(done); };
    }
    static mcp::RequestId id(int number) { return mcp::RequestId::from(number).value(); }
};

boost::json::object text_of(std::size_t size) {
    return {{"text", std::string(size, 'x')}};
}

}  // namespace

TEST_CASE_FIXTURE(ReplyFixture, "a request is answered once, and notified of before only") {
    mcp::Reply reply{id(7), sink};
    CHECK(reply.open());
    CHECK(reply.shared_by() == 1);
    reply.notify("notifications/progress", {});
    reply.result({{"a", 1}}, note());
    CHECK_FALSE(reply.open());
    reply.result({{"a", 2}}, note());
    reply.error({mcp::ErrorCode::internal_error, "late"});
    reply.notify("notifications/progress", {});
    const auto sent = sink->take();
    REQUIRE(sent.size() == 2);
    CHECK(sent[0].at("method") == "notifications/progress");
    CHECK(sent[1].at("id") == 7);
    CHECK(sent[1].at_pointer("/result/a") == 1);
    sink->finish(true);
    CHECK(written == std::vector<bool>{true});
}

TEST_CASE_FIXTURE(ReplyFixture, "a request that is given up has no answer") {
    { const mcp::Reply reply{id(7), sink}; }
    CHECK(sink->sent.empty());
}

TEST_CASE_FIXTURE(ReplyFixture, "a batch is one array, sent when its last request is settled") {
    auto batch = std::make_shared<mcp::BatchReply>(sink, 3);
    mcp::Reply first{id(1), batch};
    mcp::Reply second{id(2), batch};
    std::optional<mcp::Reply> third{std::in_place, id(3), batch};
    CHECK(first.shared_by() == 3);
    second.result({{"a", 2}}, note());
    first.result({{"a", 1}}, note());
    CHECK(sink->sent.empty());
    third.reset();  // cancelled
    const auto sent = sink->take();
    REQUIRE(sent.size() == 1);
    REQUIRE(sent[0].as_array().size() == 2);
    CHECK(sent[0].at(0).at("id") == 2);
    CHECK(sent[0].at(1).at("id") == 1);
    CHECK(written.empty());
    sink->finish(false);
    CHECK(written == std::vector<bool>{false, false});
}

TEST_CASE_FIXTURE(ReplyFixture, "a batch of requests that were all given up is not answered") {
    auto batch = std::make_shared<mcp::BatchReply>(sink, 1);
    { const mcp::Reply reply{id(1), batch}; }
    CHECK(sink->sent.empty());
}

TEST_CASE_FIXTURE(ReplyFixture,
                  "an answer that leaves the others of its batch no room is an error, and lost") {
    auto batch = std::make_shared<mcp::BatchReply>(sink, 2);
    mcp::Reply first{id(1), batch};
    mcp::Reply second{id(2), batch};
    first.result(text_of(tools::kAnswerBytes - 300), note());
    CHECK(written == std::vector<bool>{false});
    second.result(text_of(100), note());
    REQUIRE(sink->sent.size() == 1);
    CHECK(sink->sent[0].size() <= tools::kAnswerBytes);
    const auto sent = sink->take();
    CHECK(sent[0].at(0).as_object().contains("error"));
    CHECK(sent[0].at(1).as_object().contains("result"));
    sink->finish(true);
    CHECK(written == std::vector<bool>{false, true});
}
