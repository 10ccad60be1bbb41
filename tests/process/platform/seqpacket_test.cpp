#include "platform/seqpacket.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "platform/memfd.hpp"

using namespace bgshell::platform;

namespace {

Packet packet_of(Outcome<Received> received) {
    REQUIRE(received.has_value());
    REQUIRE(std::holds_alternative<Packet>(*received));
    return std::get<Packet>(std::move(*received));
}

bool is_end(const Outcome<Received>& received) {
    return received.has_value() && std::holds_alternative<EndOfStream>(*received);
}

}  // namespace

TEST_CASE("packets arrive whole, and the end after them") {
    auto [a, b] = seqpacket_pair().value();
    CHECK(std::holds_alternative<NoPacket>(receive_packet(b.get(), 10).value()));
    CHECK_FALSE(send_packet(a.get(), "one"));
    CHECK_FALSE(send_packet(a.get(), "two"));
    CHECK(unread_by_peer(a.get()).value() > 0);
    CHECK(packet_of(receive_packet(b.get(), 10)).bytes == "one");
    CHECK(packet_of(receive_packet(b.get(), 10)).bytes == "two");
    CHECK(unread_by_peer(a.get()).value() == 0);
    a.reset();
    CHECK(is_end(receive_packet(b.get(), 10)));
}

TEST_CASE("a packet that is too long is an error and gone") {
    auto [a, b] = seqpacket_pair().value();
    CHECK_FALSE(send_packet(a.get(), "12345"));
    CHECK_FALSE(send_packet(a.get(), "1234"));
    CHECK(receive_packet(b.get(), 4).error() == errno_code(EMSGSIZE));
    CHECK(packet_of(receive_packet(b.get(), 4)).bytes == "1234");
}

TEST_CASE("descriptors travel, and close on exec") {
    auto [a, b] = seqpacket_pair().value();
    const auto memory = make_memfd("test", "secret").value();
    const std::array<int, 2> sent{memory.get(), memory.get()};
    CHECK_FALSE(send_packet(a.get(), "x", sent));
    const auto packet = packet_of(receive_packet(b.get(), 10));
    REQUIRE(packet.descriptors.size() == 2);
    for (const auto& fd : packet.descriptors) {
        CHECK(read_memfd(fd.get(), 100).value() == "secret");
        CHECK((::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0);
    }
}

TEST_CASE("a peer that reads nothing blocks nobody") {
    auto [a, b] = seqpacket_pair().value();
    const std::string large(30'000, 'x');
    error_code error;
    for (int i = 0; i < 1000 && !error; ++i) error = send_packet(a.get(), large);
    CHECK(error == errno_code(EAGAIN));
    b.reset();
    CHECK(send_packet(a.get(), "x") == errno_code(ECONNRESET));  // once: it had not read all
    CHECK(send_packet(a.get(), "x") == errno_code(EPIPE));
}

TEST_CASE("what was sent before the close arrives, though the sender had not read all") {
    auto [a, b] = seqpacket_pair().value();
    CHECK_FALSE(send_packet(b.get(), "unread"));
    CHECK_FALSE(send_packet(a.get(), "last words"));
    a.reset();
    CHECK(packet_of(receive_packet(b.get(), 100)).bytes == "last words");
    CHECK(is_end(receive_packet(b.get(), 100)));
}

TEST_CASE("a socket in a directory of any depth is bound, private, and connected to") {
    std::string top = "/tmp/bgshell-socket-XXXXXX";
    REQUIRE(::mkdtemp(top.data()) != nullptr);
    const std::string deep = top + "/" + std::string(200, 'd') + "/" + std::string(200, 'e');
    std::filesystem::create_directories(deep);
    const UniqueFd directory{::open(deep.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};

    const auto listener = seqpacket_listen(directory.get(), "sock").value();
    struct stat facts {};
    REQUIRE(::fstatat(directory.get(), "sock", &facts, 0) == 0);
    CHECK((facts.st_mode & 0777) == 0600);
    CHECK(seqpacket_listen(directory.get(), "sock").error() == errno_code(EADDRINUSE));
    CHECK(seqpacket_accept(listener.get()).error() == errno_code(EAGAIN));
    const auto client = seqpacket_connect(directory.get(), "sock").value();
    const auto server = seqpacket_accept(listener.get()).value();
    CHECK(peer_user(server.get()).value() == ::geteuid());
    CHECK_FALSE(send_packet(client.get(), "hello"));
    CHECK(packet_of(receive_packet(server.get(), 10)).bytes == "hello");
    std::filesystem::remove_all(top);
}
