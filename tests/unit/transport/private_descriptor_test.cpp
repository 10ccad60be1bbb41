#include "transport/private_descriptor.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "unit/transport/descriptors.hpp"

using namespace bgshell::test;
using bgshell::platform::UniqueFd;
using bgshell::transport::PrivateDescriptor;
using Access = bgshell::transport::PrivateDescriptor::Access;

TEST_CASE("both ends of a pipe stay blocking for those who share them") {
    const Ends pipe = make_pipe();
    auto in = PrivateDescriptor::open(pipe.read.get(), Access::read);
    auto out = PrivateDescriptor::open(pipe.write.get(), Access::write);
    REQUIRE(in.has_value());
    REQUIRE(out.has_value());
    CHECK(!is_non_blocking(pipe.read.get()));
    CHECK(!is_non_blocking(pipe.write.get()));
    const auto ours = in->duplicate();
    REQUIRE(ours.has_value());
    CHECK(is_non_blocking(ours->get()));
    write_all(pipe.write.get(), "x");
    CHECK(read_now(ours->get(), 1) == "x");
}

TEST_CASE("a socket's flags are restored") {
    const Ends sockets = make_socket_pair();
    {
        const auto in = PrivateDescriptor::open(sockets.read.get(), Access::read);
        REQUIRE(in.has_value());
        CHECK(is_non_blocking(sockets.read.get()));
    }
    CHECK(!is_non_blocking(sockets.read.get()));
}

TEST_CASE("what was non-blocking stays so") {
    const Ends sockets = make_socket_pair();
    REQUIRE(::fcntl(sockets.read.get(), F_SETFL, O_RDWR | O_NONBLOCK) == 0);
    { REQUIRE(PrivateDescriptor::open(sockets.read.get(), Access::read).has_value()); }
    CHECK(is_non_blocking(sockets.read.get()));
}

TEST_CASE("a regular file is read from where it stands") {
    std::string name = "/tmp/bgshell-test-XXXXXX";
    const UniqueFd file{::mkostemp(name.data(), O_CLOEXEC)};
    REQUIRE(file);
    REQUIRE(::unlink(name.c_str()) == 0);
    write_all(file.get(), "skip this\n");
    REQUIRE(::lseek(file.get(), 5, SEEK_SET) == 5);
    const auto in = PrivateDescriptor::open(file.get(), Access::read);
    REQUIRE(in.has_value());
    const auto ours = in->duplicate();
    REQUIRE(ours.has_value());
    CHECK(read_now(ours->get(), 100) == "this\n");
}

TEST_CASE("a closed descriptor is an error") {
    Ends pipe = make_pipe();
    const int number = pipe.read.get();
    pipe.read.reset();
    CHECK(PrivateDescriptor::open(number, Access::read).error() ==
          boost::system::errc::bad_file_descriptor);
}
