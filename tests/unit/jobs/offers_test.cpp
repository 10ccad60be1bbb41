#include "jobs/offers.hpp"

#include <doctest/doctest.h>

using bgshell::jobs::JobId;
using bgshell::jobs::LookMove;
using bgshell::jobs::Offers;
using Standing = bgshell::jobs::Offers::Standing;
using Numbers = std::vector<std::int64_t>;

namespace {

const JobId kJob = JobId::parse("k3f9x0ab").value();
const JobId kOther = JobId::parse("m7q2a7c3").value();

Offers::Content notices(Numbers numbers) {
    return {std::move(numbers), {}, {}, {}};
}
Offers::Content started(JobId job, Numbers complete = {}) {
    return {{}, std::move(complete), {}, std::move(job)};
}
using Lost = std::vector<Offers::LostStart>;
Offers::Content looks(std::vector<LookMove> moves) {
    return {{}, {}, std::move(moves), {}};
}

}  // namespace

TEST_CASE("a notice is told by the next call after its answer was written") {
    Offers offers;
    CHECK(offers.standing(1) == Standing::untold);
    const auto offer = offers.open("a", notices({1, 2}));
    CHECK(offer != 0);
    CHECK(offers.standing(1) == Standing::offered);
    CHECK(offers.written(offer).empty());
    CHECK(offers.standing(1) == Standing::offered);
    CHECK(offers.call_arrived("a").notices == Numbers{1, 2});
    CHECK(offers.call_arrived("a").empty());
}

TEST_CASE("a call that arrives before the answer is written tells nothing") {
    Offers offers;
    const auto offer = offers.open("a", notices({1}));
    CHECK(offers.call_arrived("a").empty());
    CHECK(offers.written(offer).empty());
    CHECK(offers.standing(1) == Standing::offered);
    CHECK(offers.call_arrived("a").notices == Numbers{1});
}

TEST_CASE("only a call of the same caller tells") {
    Offers offers;
    CHECK(offers.written(offers.open("a", notices({1}))).empty());
    CHECK(offers.call_arrived("b").empty());
    CHECK(offers.call_arrived("a/1").empty());
    CHECK(offers.call_arrived("a").notices == Numbers{1});
}

TEST_CASE("a lost answer leaves its notices untold, the second offer is again and final") {
    Offers offers;
    offers.lost(offers.open("a", notices({1})));
    CHECK(offers.standing(1) == Standing::untold_again);
    const auto second = offers.open("a", notices({1, 2}));
    CHECK(offers.standing(1) == Standing::offered);
    CHECK(offers.written(second).notices == Numbers{1});
    CHECK(offers.call_arrived("a").notices == Numbers{2});
}

TEST_CASE("an answer may be lost after it was written") {
    Offers offers;
    const auto offer = offers.open("a", notices({1}));
    CHECK(offers.written(offer).empty());
    offers.lost(offer);
    CHECK(offers.standing(1) == Standing::untold_again);
    CHECK(offers.call_arrived("a").empty());
}

TEST_CASE("a second offer that is lost too is made once more: nothing is ever lost") {
    Offers offers;
    offers.lost(offers.open("a", notices({1})));
    offers.lost(offers.open("a", notices({1})));
    CHECK(offers.standing(1) == Standing::untold_again);
    CHECK(offers.written(offers.open("a", notices({1}))).notices == Numbers{1});
}

TEST_CASE("two answers that are on their way together tell a notice once") {
    Offers offers;
    const auto first = offers.open("a", notices({1}));
    const auto second = offers.open("a", notices({1}));
    CHECK(offers.written(second).notices == Numbers{1});
    CHECK(offers.written(first).empty());
    CHECK(offers.call_arrived("a").empty());
}

TEST_CASE("of two answers on their way, losing the older one changes nothing") {
    Offers offers;
    const auto first = offers.open("a", notices({1}));
    const auto second = offers.open("a", notices({1}));
    offers.lost(first);
    CHECK(offers.standing(1) == Standing::offered);
    offers.lost(second);
    CHECK(offers.standing(1) == Standing::untold_again);
}

TEST_CASE("looks move when told, and not when lost") {
    Offers offers;
    const auto first = offers.open("a", looks({{kJob, 100}}));
    CHECK(offers.written(first).empty());
    const auto second = offers.open("a", looks({{kJob, 200}}));
    offers.lost(second);
    const auto told = offers.call_arrived("a");
    CHECK(told.looks == std::vector<LookMove>{{kJob, 100}});
}

TEST_CASE("looks of several answers come in the order of the answers") {
    Offers offers;
    const auto first = offers.open("a", looks({{kJob, 100}, {kOther, 5}}));
    const auto second = offers.open("a", looks({{kJob, 200}}));
    CHECK(offers.written(second).empty());
    CHECK(offers.written(first).empty());
    const auto told = offers.call_arrived("a");
    CHECK(told.looks == std::vector<LookMove>{{kJob, 100}, {kOther, 5}, {kJob, 200}});
}

TEST_CASE("a start that told its own end owes nothing once it is written") {
    Offers offers;
    const auto offer = offers.open("a", started(kJob, {1}));
    CHECK(offers.written(offer).notices == Numbers{1});
    CHECK(offers.call_arrived("a").empty());
    CHECK(offers.lost_starts("a").empty());
}

TEST_CASE("a start whose answer was lost is named until an answer that names it was told") {
    Offers offers;
    offers.lost(offers.open("a", started(kJob, {1})));
    CHECK(offers.standing(1) == Standing::untold_again);
    CHECK(offers.lost_starts("b").empty());
    CHECK(offers.lost_starts("a") == Lost{{kJob, false}});

    const auto lost_again = offers.open("a", notices({}));
    CHECK(offers.lost_starts("a").empty());  // on its way
    offers.lost(lost_again);
    CHECK(offers.lost_starts("a") == Lost{{kJob, false}});

    CHECK(offers.written(offers.open("a", notices({}))).empty());
    CHECK(offers.call_arrived("a").empty());
    CHECK(offers.lost_starts("a").empty());
}

TEST_CASE("a start that was answered and then cancelled is not called cut off") {
    Offers offers;
    const auto answer = offers.open("a", started(kJob, {}));
    CHECK(offers.written(answer).empty());
    offers.lost(answer);
    CHECK(offers.lost_starts("a") == Lost{{kJob, true}});
    offers.lost(offers.open("a", notices({})));
    CHECK(offers.lost_starts("a") == Lost{{kJob, true}});
}

TEST_CASE("a start that is cut off while an answer is made waits for the next answer") {
    Offers offers;
    offers.start_cut_off("a", kJob);
    CHECK(offers.lost_starts("a") == Lost{{kJob, false}});
    offers.start_cut_off("a", kOther);  // after the text was made
    offers.start_cut_off("a", kOther);
    const auto offer = offers.open("a", notices({}));
    CHECK(offers.written(offer).empty());
    CHECK(offers.lost_starts("a") == Lost{{kOther, false}});
}

TEST_CASE("many lost starts are named a few at a time") {
    Offers offers;
    std::vector<JobId> jobs;
    for (std::size_t i = 0; i < Offers::kNamedStarts + 2; ++i) {
        jobs.push_back(JobId::random());
        offers.start_cut_off("a", jobs.back());
    }
    CHECK(offers.lost_starts("a").size() == Offers::kNamedStarts);
    CHECK(offers.written(offers.open("a", notices({}))).empty());
    CHECK(offers.lost_starts("a") == Lost{{jobs[5], false}, {jobs[6], false}});
}

TEST_CASE("unknown numbers are ignored") {
    Offers offers;
    CHECK(offers.written(0).empty());
    CHECK(offers.written(42).empty());
    offers.lost(42);
    CHECK(offers.call_arrived("nobody").empty());
}
