#include "jobs/argument_digest.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <vector>

using bgshell::jobs::argument_digest;
using bgshell::jobs::StartRequest;
using std::chrono::milliseconds;

namespace {

StartRequest request() {
    StartRequest request;
    request.command = "make";
    request.env = {"A=1", "B=2"};
    request.key = "k1";
    return request;
}

std::string digest(const StartRequest& request) {
    return argument_digest(request, "/p", milliseconds{1000});
}

}  // namespace

TEST_CASE("the same arguments have the same digest, whatever else differs") {
    const auto first = digest(request());
    CHECK(first.size() == 36);
    auto again = request();
    again.env = {"B=2", "A=1"};
    again.title = "another title";
    again.wait.asked = milliseconds{5};
    again.wait_for = "ready";
    CHECK(digest(again) == first);
}

TEST_CASE("each argument that a key guards changes it") {
    const std::vector<std::function<void(StartRequest&)>> changes{
        [](StartRequest& r) { r.command += " all"; },
        [](StartRequest& r) { r.env = {"A=1"}; },
        [](StartRequest& r) { r.env = {"A=1B=2"}; },
        [](StartRequest& r) { r.service = true; },
        [](StartRequest& r) { r.open_stdin = true; },
        [](StartRequest& r) { r.split_stderr = true; },
        [](StartRequest& r) { r.key = "k2"; },
    };
    std::set<std::string> digests{digest(request()),
                                  argument_digest(request(), "/q", milliseconds{1000}),
                                  argument_digest(request(), "/p", milliseconds{1001})};
    for (const auto& change : changes) {
        auto changed = request();
        change(changed);
        digests.insert(digest(changed));
    }
    CHECK(digests.size() == changes.size() + 3);
}
