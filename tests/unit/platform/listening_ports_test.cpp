#include "platform/listening_ports.hpp"

#include <doctest/doctest.h>

using namespace bgshell::platform;

TEST_CASE("listening sockets of the given inodes are found, of both families") {
    constexpr std::string_view v4 =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  "
        "timeout inode\n"
        "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        "
        "0 111 1 0 100\n"
        "   1: 0100007F:1F91 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        "
        "0 112 1 0 100\n"
        "   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        "
        "0 999 1 0 100\n";
    constexpr std::string_view v6 =
        "  sl  local_address                         remote_address                        st\n"
        "   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A "
        "00000000:00000000 00:00000000 00000000     0        0 113 1 0 100 0";
    std::set<std::uint16_t> ports;
    collect_listening(v4, {111, 112}, ports);
    collect_listening(v6, {113}, ports);
    CHECK(ports == std::set<std::uint16_t>{80, 8080});
}

TEST_CASE("a table that makes no sense names no port") {
    std::set<std::uint16_t> ports;
    for (const char* table :
         {"", "\n\n", "a b c 0A", "0: :FFFFF x 0A 1 2 3 4 5 1", "0: 0:1 x 0A 1 2 3 4 5 z"}) {
        collect_listening(table, {1}, ports);
    }
    CHECK(ports.empty());
}
