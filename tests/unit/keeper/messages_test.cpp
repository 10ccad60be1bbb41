#include "keeper/messages.hpp"

#include <doctest/doctest.h>

#include "unit/keeper/truncation.hpp"

namespace {

using namespace bgshell::keeper;

ExitRecord exit_record() {
    ExitRecord record;
    record.id = *JobId::parse("k3f9x0ab");
    record.state = JobState::failed;
    record.exit_code = 3;
    return record;
}

// One of each alternative, in the order of the variant.
std::vector<ToKeeper> all_to_keeper() {
    return {Hello{1, 4711},
            Start{},
            Subscribe{},
            Write{std::string{"line\n\0\xFF", 7}},
            Eof{},
            Limit{86'400'000},
            Cancel{2, 1500, "user", true},
            Adopt{},
            Release{}};
}

std::vector<FromKeeper> all_from_keeper() {
    return {Hello{1, -1},
            Started{77, 1'700'000'000'123, false},
            StartFailed{2, "posix_spawn /bin/bash"},
            Grew{1ULL << 40, 1ULL << 39},
            Wrote{32, 0},
            Ended{exit_record()},
            Leftovers{{{12, "sleep 300", ""}, {13, "[kworker]", ""}}, 2},
            Stopped{20, 3, 5012, true, {80, 65535}, {{99, "sudo x", "root", Survival::refused}}}};
}

TEST_CASE("the lists above have every message once") {
    REQUIRE(all_to_keeper().size() == std::variant_size_v<ToKeeper>);
    for (std::size_t i = 0; i < all_to_keeper().size(); ++i) CHECK(all_to_keeper()[i].index() == i);
    REQUIRE(all_from_keeper().size() == std::variant_size_v<FromKeeper>);
    for (std::size_t i = 0; i < all_from_keeper().size(); ++i)
        CHECK(all_from_keeper()[i].index() == i);
}

TEST_CASE("every message comes back as it was sent") {
    for (const ToKeeper& message : all_to_keeper()) {
        CAPTURE(message.index());
        const auto back = decode_to_keeper(encode(message));
        REQUIRE(back);
        CHECK(back->index() == message.index());
        CHECK(encode(*back) == encode(message));
    }
    for (const FromKeeper& message : all_from_keeper()) {
        CAPTURE(message.index());
        const auto back = decode_from_keeper(encode(message));
        REQUIRE(back);
        CHECK(back->index() == message.index());
        CHECK(encode(*back) == encode(message));
    }
}

TEST_CASE("the fields of the messages come back") {
    const auto cancel =
        std::get<Cancel>(*decode_to_keeper(encode(ToKeeper{Cancel{9, 7, "why", true}})));
    CHECK(cancel.signal == 9);
    CHECK(cancel.grace_ms == 7);
    CHECK(cancel.reason == "why");
    CHECK(cancel.by_person);
    const auto stopped = std::get<Stopped>(*decode_from_keeper(encode(all_from_keeper().back())));
    CHECK(stopped.gone == 20);
    CHECK(stopped.killed == 3);
    CHECK(stopped.elapsed_ms == 5012);
    CHECK(stopped.had_ended);
    CHECK(stopped.ports == std::vector<std::uint16_t>{80, 65535});
    REQUIRE(stopped.survivors.size() == 1);
    CHECK(stopped.survivors[0] == ProcessName{99, "sudo x", "root", Survival::refused});
    const auto hello = std::get<Hello>(*decode_from_keeper(encode(FromKeeper{Hello{3, -1}})));
    CHECK(hello.version == 3);
    CHECK(hello.pid == -1);
}

TEST_CASE("a packet of another length is refused") {
    for (const ToKeeper& message : all_to_keeper()) {
        CAPTURE(message.index());
        bgshell::test::refuses_other_lengths(encode(message), decode_to_keeper);
    }
    for (const FromKeeper& message : all_from_keeper()) {
        CAPTURE(message.index());
        bgshell::test::refuses_other_lengths(encode(message), decode_from_keeper);
    }
}

TEST_CASE("the type byte is the documented one, and each direction has its own") {
    CHECK(encode(ToKeeper{Hello{1, 2}}) == std::string{"\x01"
                                                       "\x01\0"
                                                       "\x02\0\0\0",
                                                       7});
    CHECK(encode(ToKeeper{Subscribe{}}) == "\x03");
    CHECK(encode(FromKeeper{Wrote{1, 32}}) == std::string{"\x44"
                                                          "\x01\0\0\0"
                                                          "\x20\0\0\0",
                                                          9});
    for (const ToKeeper& message : all_to_keeper()) {
        if (std::holds_alternative<Hello>(message)) continue;
        CHECK_FALSE(decode_from_keeper(encode(message)));
    }
    for (const FromKeeper& message : all_from_keeper()) {
        if (std::holds_alternative<Hello>(message)) continue;
        CHECK_FALSE(decode_to_keeper(encode(message)));
    }
    for (int type = 0; type < 256; ++type) {
        CAPTURE(type);
        const std::string packet(1, static_cast<char>(type));
        const bool empty_message = type == 2 || type == 3 || type == 5 || type == 8 || type == 9;
        CHECK(decode_to_keeper(packet).has_value() == empty_message);
        CHECK_FALSE(decode_from_keeper(packet));
    }
}

TEST_CASE("a write fills a packet at most") {
    const std::string largest = encode(ToKeeper{Write{std::string(kMaxPayload - 4, 'x')}});
    CHECK(largest.size() == 1 + kMaxPayload);
    CHECK(decode_to_keeper(largest));
    CHECK_FALSE(decode_to_keeper(encode(ToKeeper{Write{std::string(kMaxPayload - 3, 'x')}})));
}

TEST_CASE("processes and ports that do not fit a packet are left out") {
    const std::vector<ProcessName> many(1500, ProcessName{1, std::string(200, 'x'), ""});
    const std::string leftovers = encode(FromKeeper{Leftovers{many, 1500}});
    CHECK(leftovers.size() <= 1 + kMaxPayload);
    const auto back = decode_from_keeper(leftovers);
    REQUIRE(back);
    CHECK(std::get<Leftovers>(*back).processes.size() > 100);
    CHECK(std::get<Leftovers>(*back).count == 1500);

    Stopped stopped;
    stopped.ports.assign(60'000, 80);
    stopped.survivors = many;
    const auto stopped_back = decode_from_keeper(encode(FromKeeper{stopped}));
    REQUIRE(stopped_back);
    CHECK(std::get<Stopped>(*stopped_back).ports.size() > 1000);
    CHECK(std::get<Stopped>(*stopped_back).survivors.size() > 50);
}

TEST_CASE("a flag is 0 or 1, a signal is one of this system") {
    std::string packet = encode(ToKeeper{Cancel{15, 0, "", true}});
    packet.back() = 2;
    CHECK_FALSE(decode_to_keeper(packet));
    for (const int signal : {0, -9, 65, 1 << 30}) {
        CAPTURE(signal);
        CHECK_FALSE(decode_to_keeper(encode(ToKeeper{Cancel{signal, 0, "", false}})));
    }
}

TEST_CASE("an end with a record that is not valid is refused") {
    ExitRecord running = exit_record();
    running.state = JobState::running;
    CHECK_FALSE(decode_from_keeper(encode(FromKeeper{Ended{running}})));
}

}  // namespace
