// Searches of logs that are too large to wait for.
#include <doctest/doctest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <filesystem>

#include "process/jobs/scratch_state.hpp"

namespace asio = boost::asio;
using namespace bgshell;
using test::id_of;
using test::ScratchState;
using test::Session;

TEST_CASE("a search that is cancelled stops, and others are answered") {
    ScratchState state;
    Session session{state};
    const auto id = id_of(session.start("echo one"));
    // Sparse; reading it would take the test an hour.
    std::filesystem::resize_file(state.state_path() + "/jobs/" + id + "/log", 3ULL << 40);
    jobs::OutputRequest request;
    request.id = id;
    request.grep = "needle";
    asio::cancellation_signal cut;
    bool done = false;
    asio::co_spawn(state.loop(), session.manager().output(session.caller(), request),
                   asio::bind_cancellation_slot(
                       cut.slot(), [&](const std::exception_ptr&, const auto&) { done = true; }));
    CHECK_FALSE(state.wait([&] { return done; }, std::chrono::milliseconds{100}));
    CHECK(session.output(id).view.range.from == 4);  // others have their turn
    cut.emit(asio::cancellation_type::terminal);
    CHECK(state.wait([&] { return done; }));
}
