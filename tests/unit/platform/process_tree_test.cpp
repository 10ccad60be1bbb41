#include "platform/process_tree.hpp"

#include <doctest/doctest.h>

using namespace bgshell::platform;

namespace {

// The fields of a stat file after the name.
std::string stat_of(const std::string& name, char state, int threads) {
    return "42 (" + name + ") " + state + " 7 41 40 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 " +
           std::to_string(threads) + " 0 123456 1 2 3\n";
}

}  // namespace

TEST_CASE("the facts of a process are read, whatever it calls itself") {
    for (const std::string name : {"sh", "a b", "a) S 1 2 (b", "", "x\ny"}) {
        const auto facts = parse_stat(stat_of(name, 'S', 1));
        REQUIRE(facts.has_value());
        CHECK(facts->pid == 42);
        CHECK(facts->name == name);
        CHECK(facts->state == 'S');
        CHECK(facts->parent == 7);
        CHECK(facts->group == 41);
        CHECK(facts->session == 40);
        CHECK(facts->threads == 1);
        CHECK(facts->start_ticks == 123456);
        CHECK(facts->alive());
    }
}

TEST_CASE("a zombie does not live, unless some of its threads do") {
    CHECK_FALSE(parse_stat(stat_of("x", 'Z', 1))->alive());
    CHECK_FALSE(parse_stat(stat_of("x", 'X', 1))->alive());
    CHECK(parse_stat(stat_of("x", 'Z', 3))->alive());
}

TEST_CASE("what is no stat file is no process") {
    for (const char* text :
         {"", "42", "42 (x", "42 (x) ", "42 (x) S 1 2", ") (", "x (y) S 1 1 1"}) {
        CHECK_FALSE(parse_stat(text).has_value());
    }
}

TEST_CASE("a command is one line of at most 200 bytes") {
    CHECK(one_line(std::string_view{"sleep\0"
                                    "30\0",
                                    9}) == "sleep 30");
    CHECK(one_line(std::string_view{"a\nb\x1b[1m\x7f\0", 9}) == "a?b?[1m?");
    CHECK(one_line("") == "");
    CHECK(one_line(std::string(500, 'x')).size() == 200);
    CHECK(one_line("x\xe2\x82\xac") == "x\xe2\x82\xac");
}

TEST_CASE("a cut leaves no half character") {
    for (std::size_t start = 196; start < 200; ++start) {
        const std::string line = one_line(std::string(start, 'x') + "\xf0\x9f\x98\x80" + "tail");
        CHECK(line.substr(0, start) == std::string(start, 'x'));
        CHECK((line.size() == start || line.size() == 200));
        if (start > 196) CHECK(line.size() == start);
    }
}
