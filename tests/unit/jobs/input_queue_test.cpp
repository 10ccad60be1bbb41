#include "jobs/input_queue.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <variant>

using bgshell::jobs::InputQueue;
namespace keeper = bgshell::keeper;

namespace {
// Sends and acknowledges everything that waits; gives what the job would read.
std::string drain(InputQueue& queue, bool& eof) {
    std::string read;
    while (auto packet = queue.next()) {
        if (const auto* write = std::get_if<keeper::Write>(&*packet)) {
            CHECK(write->bytes.size() <= keeper::kMaxPayload - 4);
            read += write->bytes;
            queue.answered({static_cast<std::uint32_t>(write->bytes.size()), 0});
        } else {
            REQUIRE(std::holds_alternative<keeper::Eof>(*packet));
            eof = true;
            queue.answered({0, 0});
        }
    }
    return read;
}
}  // namespace

TEST_CASE("a megabyte goes through in order, the end after it") {
    InputQueue queue;
    std::string text;
    for (int i = 0; text.size() < (1U << 20U); ++i) text += std::to_string(i) + "\n";
    CHECK(queue.push(text) == text.size());
    queue.push_eof();
    CHECK_FALSE(queue.idle());
    bool eof = false;
    CHECK(drain(queue, eof) == text);
    CHECK(eof);
    CHECK(queue.idle());
    CHECK(queue.waiting() == 0);
}

TEST_CASE("one packet at a time is unanswered") {
    InputQueue queue;
    CHECK_FALSE(queue.next().has_value());
    CHECK(queue.push("abc") == 3);
    CHECK(queue.next().has_value());
    CHECK_FALSE(queue.next().has_value());
    CHECK(queue.push("def") == 3);
    CHECK_FALSE(queue.next().has_value());
    CHECK(queue.waiting() == 6);
    queue.answered({3, 0});
    CHECK(queue.waiting() == 3);
    bool eof = false;
    CHECK(drain(queue, eof) == "def");
    CHECK_FALSE(eof);
}

TEST_CASE("a full queue says how much it took") {
    InputQueue queue;
    const std::string text(InputQueue::kCapacity - 1, 'x');
    CHECK(queue.push(text) == text.size());
    CHECK(queue.push("abc") == 1);
    CHECK(queue.push("abc") == 0);
    CHECK(queue.waiting() == InputQueue::kCapacity);
}

TEST_CASE("nothing is taken after the end") {
    InputQueue queue;
    queue.push_eof();
    CHECK(queue.closed());
    CHECK_FALSE(queue.broken());
    CHECK(queue.push("late") == 0);
    bool eof = false;
    CHECK(drain(queue, eof).empty());
    CHECK(eof);
    CHECK_FALSE(queue.next().has_value());
}

TEST_CASE("a job that closes its stdin drops what waits") {
    InputQueue queue;
    const std::string text(100'000, 'x');
    CHECK(queue.push(text) == text.size());
    CHECK(queue.next().has_value());
    queue.answered({10, EPIPE});
    CHECK(queue.lost() == text.size() - 10);
    CHECK(queue.closed());
    CHECK(queue.broken());
    CHECK(queue.waiting() == 0);
    CHECK(queue.idle());
    CHECK(queue.push("more") == 0);
    CHECK_FALSE(queue.next().has_value());
}

TEST_CASE("an answer that nobody waits for changes nothing") {
    InputQueue queue;
    queue.answered({5, EPIPE});
    CHECK_FALSE(queue.closed());
    CHECK(queue.push("abc") == 3);
    CHECK(queue.waiting() == 3);
}
