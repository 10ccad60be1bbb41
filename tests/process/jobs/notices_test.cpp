// Notices and looks: told once, never lost.
#include <doctest/doctest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <utility>

#include "process/jobs/scratch_state.hpp"

namespace asio = boost::asio;
using namespace bgshell;
using keeper::JobState;
using test::id_of;
using test::ScratchState;
using test::Session;
using Ids = std::vector<std::string>;

namespace {

// A job that has ended, untold.
std::string ended_unseen(ScratchState& state, Session& session, const std::string& text) {
    const auto id = id_of(session.start("sleep 0.1; " + text, 0));
    REQUIRE(state.wait([&] { return session.manager().progress({id}).empty(); }));
    return id;
}

}  // namespace

TEST_CASE("b46_an_end_that_was_told_is_never_mentioned_again") {
    ScratchState state;
    Session session{state};
    const auto id = ended_unseen(state, session, "echo broken; exit 7");
    session.list();
    CHECK(session.told_ends() == Ids{id});
    REQUIRE(session.told().items.size() == 1);
    CHECK(session.told().items[0].last_line == "broken");
    CHECK_FALSE(session.told().items[0].again);
    for (int i = 0; i < 20; ++i) {
        const auto listing = session.list();
        CHECK(session.told().items.empty());
        REQUIRE(listing.jobs.size() == 1);
        CHECK(listing.jobs[0].row.exit->exit_code == 7);
        CHECK_FALSE(listing.jobs[0].unread_end);
    }
}

TEST_CASE("an answer that was lost is told again, marked, and then no more") {
    ScratchState state;
    Session session{state};
    const auto id = ended_unseen(state, session, "exit 1");
    session.list();
    CHECK(session.told_ends() == Ids{id});
    session.lose_last_answer();
    session.list();
    CHECK(session.told_ends() == Ids{id});
    REQUIRE(session.told().items.size() == 1);
    CHECK(session.told().items[0].again);
    session.list();
    CHECK(session.told().items.empty());
}

TEST_CASE("what is on its way in one answer is not in another") {
    ScratchState state;
    Session session{state};
    const auto id = ended_unseen(state, session, "exit 1");
    session.hold_answers(true);
    session.list();
    CHECK(session.told_ends() == Ids{id});
    session.list();
    CHECK(session.told().items.empty());
}

TEST_CASE("the look moves with the answer, and not with a lost one") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("echo one; sleep 30", 0));
    REQUIRE(state.wait([&] { return session.list().jobs[0].bytes_stored == 4; }));
    CHECK(session.output(id).view.text == "one\n");
    session.lose_last_answer();
    const auto second = session.output(id);
    CHECK(second.view.text == "one\n");
    CHECK_FALSE(second.view.again);
    CHECK(second.job.unread_lines == 1);
    const auto third = session.output(id);
    CHECK(third.view.again);
    CHECK(third.job.unread_bytes == 0);
    session.cancel(id);
}

TEST_CASE("a start whose answer was lost is named by the next answer") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("sleep 30", 0));
    session.lose_last_answer();
    session.list();
    REQUIRE(session.told().lost_starts.size() == 1);
    CHECK(session.told().lost_starts[0].job.row.spec.id.text() == id);
    CHECK(session.told().lost_starts[0].answered);
    session.list();
    CHECK(session.told().lost_starts.empty());
    session.cancel(id);
}

TEST_CASE("a start that is cut off while it waits goes on, and is named by the next answer") {
    ScratchState state;
    Session session{state};
    session.list();
    asio::cancellation_signal cut;
    bool done = false;
    std::exception_ptr thrown;
    asio::co_spawn(
        state.loop(), session.manager().start(session.caller(), Session::command("sleep 30", 20)),
        asio::bind_cancellation_slot(cut.slot(), [&](std::exception_ptr failure, const auto&) {
            thrown = std::move(failure);
            done = true;
        }));
    REQUIRE(state.wait([&] { return !session.manager().progress({}).empty(); }));
    cut.emit(asio::cancellation_type::terminal);
    REQUIRE(state.wait([&] { return done; }));
    CHECK(thrown != nullptr);
    const auto listing = session.list();
    REQUIRE(session.told().lost_starts.size() == 1);
    CHECK_FALSE(session.told().lost_starts[0].answered);
    const auto id = session.told().lost_starts[0].job.row.spec.id.text();
    CHECK(listing.running_total == 1);
    CHECK(session.cancel(id).result == jobs::CancelResult::ended);
}

TEST_CASE("an end is for the conversation that started the job") {
    ScratchState state;
    Session session{state};
    session.talk_as("a");
    const auto id = ended_unseen(state, session, "true");
    session.talk_as("b");
    session.list();
    CHECK(session.told().items.empty());
    const auto seen = session.await({id});  // it may look, and takes nothing away
    CHECK(seen.jobs[0].job.row.state == JobState::succeeded);
    CHECK(session.told().items.empty());
    session.talk_as("a");
    session.list();
    CHECK(session.told_ends() == Ids{id});
}

TEST_CASE("an end that nobody was told stays untold in the registry") {
    ScratchState state;
    std::string owner;
    {
        Session session{state};
        owner = session.caller().owner;
        ended_unseen(state, session, "true");
        session.start("true");  // complete in its own answer
    }
    store::Store store{state.state_path(), false};
    auto work = [owner](store::Store::Opened& opened) { return opened.registry->untold(owner); };
    const auto untold = state.run(store.run(std::move(work)));
    REQUIRE(untold.has_value());
    CHECK(untold->size() == 1);
}

TEST_CASE("nine tenths of the runtime limit make a notice, once") {
    ScratchState state;
    Session session{state};
    auto request = Session::command("sleep 30", 0);
    request.runtime_limit = std::chrono::milliseconds{2000};
    const auto id = id_of(session.start(request));
    REQUIRE(state.wait([&] {
        session.list();
        return !session.told().items.empty();
    }));
    REQUIRE(session.told().items.size() == 1);
    CHECK(session.told().items[0].notice.kind == store::NoticeKind::limit_near);
    const auto ended = session.await({id});
    CHECK(ended.jobs[0].job.row.state == JobState::timed_out);
    CHECK(session.told_ends() == Ids{id});
    CHECK(session.told().items.size() == 1);
}
